"""Contract, "Plays and cards": details 25 to 32, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    AFTER_CLOSING,
    BAC,
    BJ,
    FAMILY,
    MFB,
    QB,
    WINS,
    ZAP,
    bet,
    coup,
    graded,
    raised,
    verdict_of,
)


class TestDetail25WhenTheDealerDraws:
    """For live hands of counting main bets; a draw once begun is completed."""

    def test_for_the_remaining_hand_of_a_split(self) -> None:
        """One hand busts with 26, the other has 21 but no blackjack and pushes against 21."""
        text = "1:TS D:TH 1:KC D:2C 1a:6C 1a:KD 1b:AC"
        split = bet("b1", play="PH,", **raised(1))

        assert verdict_of(text, split) == "missing-card"
        assert graded(f"{text} D:9H", split) == ["lose 10.00"]

    def test_for_an_ace_and_ten_after_a_zap(self) -> None:
        """It is 21 and no blackjack, so the dealer draws; the blackjack on box 2 needs no draw."""
        text = "1:9S 2:AS D:TD 1:7S 2:KS D:2C 1z:AH 1z:KH"
        bets = bet("b1", play="Z"), bet("b2", box=2)

        assert verdict_of(text, *bets, rules=ZAP) == "missing-card"
        assert graded(f"{text} D:7C", *bets, rules=ZAP) == ["win 20.00", "win 25.00"]

    @pytest.mark.parametrize("rules", [BJ, QB, ZAP])
    def test_optionally_if_all_hands_are_bust_or_blackjack(self, rules: str) -> None:
        """Twelve: not drawn, or drawn to seventeen; at fourteen a card is missing."""
        text = "1:AS 2:9C D:TD 1:KS 2:7D D:2C 2:8H"
        bets = bet("b1"), bet("b2", box=2, play="H")

        assert graded(text, *bets, rules=rules) == ["win 25.00", "lose 0.00"]
        assert graded(f"{text} D:2H D:3H", *bets, rules=rules) == ["win 25.00", "lose 0.00"]
        assert verdict_of(f"{text} D:2H", *bets, rules=rules) == "missing-card"
        assert verdict_of(f"{text} D:2H D:3H D:2S", *bets, rules=rules) == "extra-card"

    def test_optionally_if_only_side_bets_and_bets_behind_a_bust_hand_remain(self) -> None:
        """The bet behind loses with its bust owner."""
        text = "1:9S D:AD 1:7C D:2C 1:8H"
        bets = (
            bet("b1", play="H"),
            bet("b2", player="p-2", behind=True),
            bet("b3", "21+3", "1.00"),
            bet("b4", "insurance", "5.00"),
        )

        assert graded(text, *bets) == ["lose 0.00"] * 4

    def test_for_a_live_hand_of_a_shared_box(self) -> None:
        """Sixteen of one player stands, sixteen of the other hits and busts."""
        text = "1:9S D:TD 1:7C D:2C 1:8H"
        hits, stands = bet("b1", play="H"), bet("b2", player="p-2")

        assert verdict_of(text, hits, rules=QB) == "settled"
        assert verdict_of(text, hits, stands, rules=QB) == "missing-card"

    def test_not_for_a_void_bet_or_an_empty_box(self) -> None:
        """Mega Fire Blaze: box 2 has eighteen and only a late bet."""
        text = "1:9S 2:9C D:TD 1:7C 2:9D D:2C 1:8H"
        late = bet("b2", player="p-2", box=2, placed_at=AFTER_CLOSING)

        assert graded(text, bet("b1", play="H"), late, rules=MFB) == ["lose 0.00", "void 10.00"]

    @pytest.mark.parametrize(
        ("rules", "drawn", "code"),
        [
            (QB, "", "settled"),
            (QB, " D:TS", "settled"),
            (QB, " D:5S", "missing-card"),  # 6, Ace, 5 is twelve
            (QB, " D:2S D:2H", "extra-card"),  # soft nineteen stands
            (BJ, " D:TS", "extra-card"),  # stands on soft seventeen
        ],
    )
    def test_by_the_tables_rule_once_begun(self, rules: str, drawn: str, code: str) -> None:
        """Soft seventeen and no live hand."""
        text = f"1:9S D:6D 1:7C D:AC 1:8H{drawn}"

        assert verdict_of(text, bet("b1", play="H"), rules=rules) == code


class TestDetail26HandsOfManyCards:
    """Ten cards at Mega Fire Blaze, thirteen at Zappit, also after a split."""

    NINE = "1a:AS 1a:AH 1a:AD 1a:AC 1a:2S 1a:2H 1a:3D 1a:3C 1a:2D"
    TWELVE = "1a:AS 1a:AH 1a:AD 1a:AC 1a:AS 1a:AH 1a:AD 1a:AC 1a:2H 1a:AS 1a:AH 1a:AD"  # 15 in all

    def test_stand_with_ten_after_a_split(self) -> None:
        """18 on ten cards wins against twenty; the other hand, twelve, loses: 20.00 in all."""
        text = f"1:2C 2:9C D:TD 1:2D 2:9D D:TC {self.NINE} 1b:TH"
        hits = "H" * 8

        assert graded(text, bet("b1", play=f"P{hits},", **raised(1)), rules=MFB) == ["push 20.00"]
        for more, card in (("S", ""), ("H", " 1a:2D"), ("D", " 1a:2D")):
            play = f"P{hits}{more},"
            first = bet("b1", play=play, **raised(1 + (more == "D")))
            assert verdict_of(f"{text}{card}", first, rules=MFB) == "illegal-play"

    def test_stand_with_thirteen_after_a_split(self) -> None:
        """15 loses to eighteen as any fifteen does; one more decision is illegal."""
        text = f"1:2C D:TD 1:2D D:8C {self.TWELVE} 1b:TH"
        hits = "H" * 11

        assert graded(text, bet("b1", play=f"P{hits},", **raised(1)), rules=ZAP) == ["lose 0.00"]
        assert (
            verdict_of(text, bet("b1", play=f"P{hits}S,", **raised(1)), rules=ZAP) == "illegal-play"
        )
        assert verdict_of(
            f"{text} 1a:2D", bet("b1", play=f"P{hits}H,", **raised(1)), rules=ZAP
        ) == ("illegal-play")

    def test_win_only_for_the_player_with_ten_cards(self) -> None:
        """One box, two players: ten cards of eighteen win against 21, nine of fifteen lose."""
        drawn = "1:AD 1:AC 1:2S 1:2H 1:2D 1:2C 1:3S 1:3H"
        text = f"1:AS 2:9C D:TD 1:AH 2:9D D:5C {drawn} D:6C"
        ten, nine = bet("b1", play="H" * 8), bet("b2", player="p-2", play="H" * 7)

        assert graded(text, ten, nine, rules=MFB) == ["win 20.00", "lose 0.00"]


class TestDetails27To29AgainstADealerBlackjack:
    """The effect of plays, by game and upcard."""

    @pytest.mark.parametrize(("up", "hole"), [("AD", "KC"), ("KC", "AD")])
    @pytest.mark.parametrize(
        ("play", "rest", "times"),
        [("S", "", 0), ("H", "1:2H", 0), ("D", "1:2H", 1), ("P,", "1a:2H 1b:3H", 1),
         ("Z", "1z:2H 1z:3H", 0)],
    )  # fmt: skip
    def test_no_decision_is_legal_at_zappit(
        self, up: str, hole: str, play: str, rest: str, times: int
    ) -> None:
        """Detail 27: sixteen of eights, under an Ace and under a ten."""
        text = f"1:8S D:{up} 1:8C D:{hole} {rest}".strip()

        assert verdict_of(text, bet("b1", play=play, **raised(times)), rules=ZAP) == "illegal-play"

    @pytest.mark.parametrize(
        ("rules", "up", "hole", "paid"),
        [
            (QB, "AD", "KC", ("10.00", "0.00", "10.00", "20.00")),
            (QB, "KC", "AD", ("10.00", "0.00", "10.00", "20.00")),
            (MFB, "KC", "AD", ("10.00", "0.00", "10.00", "20.00")),
            (MFB, "AD", "KC", ("0.00", "0.00", "0.00", "0.00")),
        ],
    )
    def test_raises_of_doubles_go_back_and_those_of_splits_do_not(
        self, rules: str, up: str, hole: str, paid: tuple[str, ...]
    ) -> None:
        """Details 28, 29: doubled and bust; split; split and doubled once; twice and bust."""
        between = ("2:9C ", "2:9D ") if rules == MFB else ("", "")
        deal_ = f"1:8S {between[0]}D:{up} 1:8C {between[1]}D:{hole}"
        played = (
            ("D", "1:9H", 1),
            ("P,", "1a:2H 1b:3H", 1),
            ("PD,", "1a:2H 1a:9C 1b:3H", 2),
            ("PD,D", "1a:7H 1a:9C 1b:7D 1b:9D", 3),
        )

        output = [
            *(
                graded(f"{deal_} {rest}", bet("b1", play=play, **raised(times)), rules=rules)[0]
                for play, rest, times in played
            )
        ]

        assert output == [f"lose {back}" for back in paid]

    def test_everything_is_lost_under_a_ten_at_blackjack(self) -> None:
        """Readings: doubles, splits and the bets behind them."""
        text = "1:8S D:KC 1:8C D:AD {}"
        double = bet("b1", play="D", **raised(1)), "1:3H"
        split = bet("b1", play="P,", **raised(1)), "1a:2H 1b:3H"

        for owner, rest in (double, split):
            behind = bet("b2", player="p-2", behind=True, **raised(1))
            assert graded(text.format(rest), owner, behind) == ["lose 0.00", "lose 0.00"]


class TestDetail30SplitsAndZaps:
    """Only Zappit has ``Z``; ``P`` is only a first decision."""

    @pytest.mark.parametrize("rules", FAMILY)
    @pytest.mark.parametrize(
        ("play", "rest"), [("HP,", "1:2C 1a:3C 1b:4C"), ("SP,", "1a:3C 1b:4C")]
    )
    def test_a_split_after_another_decision_is_illegal(
        self, rules: str, play: str, rest: str
    ) -> None:
        """Sevens hit or stood, then split; its cards and its raise are complete."""
        between = ("2:9C ", "2:9D ") if rules == MFB else ("", "")
        text = f"1:7S {between[0]}D:TD 1:7C {between[1]}D:8C {rest}"

        assert verdict_of(text, bet("b1", play=play, **raised(1)), rules=rules) == "illegal-play"

    def test_a_zap_is_legal_only_at_zappit(self) -> None:
        """Sixteen is exchanged; a split after it is illegal at Zappit too."""
        text = "1:9S D:TD 1:7C D:8C 1z:9D 1z:TH"

        assert graded(text, bet("b1", play="Z"), rules=ZAP) == ["win 20.00"]
        assert verdict_of(text, bet("b1", play="Z")) == "illegal-play"
        assert verdict_of(text, bet("b1", play="Z"), rules=QB) == "illegal-play"
        assert verdict_of(f"{text} 1a:2S 1b:3S", bet("b1", play="ZP,", **raised(1)), rules=ZAP) == (
            "illegal-play"
        )


class TestDetail31Banker:
    """Not judged if Player's third card is wrong."""

    @pytest.mark.parametrize("banker", ["", " B:2C", " B:9C"])
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("P:2S B:2H P:4D B:3C P:9H", "extra-card"),  # six stays
            ("P:4S B:2H P:4D B:3C P:9H", "extra-card"),  # a natural eight
            ("P:2S B:4H P:3D B:5C P:9H", "extra-card"),  # against a natural nine
            ("P:2S B:2H P:3D B:3C", "missing-card"),  # five has to draw
            ("P:KS B:2H P:TD B:5C", "missing-card"),  # nothing has to draw
        ],
    )
    def test_is_not_judged_after_a_wrong_third_card_of_player(
        self, text: str, code: str, banker: str
    ) -> None:
        """With or without a third card of Banker, the code is Player's alone."""
        assert verdict_of(f"{text}{banker}", coup("b1", "tie"), rules=BAC) == code

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("P:2S B:2H P:4D B:3C", "missing-card"),  # Player stays on six, five draws
            ("P:2S B:2H P:4D B:4C B:9D", "extra-card"),  # six stays
            ("P:2S B:TH P:3D B:3C P:8H B:9D", "extra-card"),  # three stays on an eight
            ("P:2S B:TH P:3D B:3C P:9H", "missing-card"),  # three draws on a nine
            ("P:2S B:TH P:3D B:6C P:6H", "missing-card"),  # six draws on a six
            ("P:2S B:TH P:3D B:6C P:5H B:2C", "extra-card"),  # six stays on a five
            ("P:2S B:TH P:3D B:7C P:7H B:2C", "extra-card"),  # seven stays
        ],
    )
    def test_is_judged_by_the_table_otherwise(self, text: str, code: str) -> None:
        """The boundaries of the printed table."""
        assert verdict_of(text, coup("b1", "tie"), rules=BAC) == code


class TestDetail32BehindElsewhere:
    """``behind`` has no effect on a side bet or an insurance."""

    @pytest.mark.parametrize("behind", [True, False])
    def test_changes_no_payout_of_a_side_bet_or_insurance(self, behind: bool) -> None:
        """A pair of Aces in one colour, three Aces as trips, insurance."""
        text = "1:AS D:AD 1:AC D:KC"
        bets = (
            bet("b1"),
            bet("b2", "perfect_pairs", "1.00", behind=behind),
            bet("b3", "21+3", "1.00", behind=behind),
            bet("b4", "insurance", "5.00", behind=behind),
        )

        assert graded(text, *bets) == ["lose 0.00", "win 13.00", "win 31.00", "win 15.00"]

    def test_replaces_no_main_bet(self) -> None:
        """A side bet behind needs a main bet of its player."""
        side_bet = bet("b2", "21+3", "1.00", player="p-2", behind=True)

        assert verdict_of(WINS, bet("b1"), side_bet) == "main-bet-missing"
