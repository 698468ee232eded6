"""Contract, "Plays and cards": details 22 to 24, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    AFTER_CLOSING,
    BAC,
    MFB,
    MFB_WINS,
    QB,
    SIX_POINTS,
    bet,
    bonus,
    coup,
    deal,
    graded,
    raised,
    replay,
    shoe,
    verdict_of,
)


class TestDetail22AllAnomalies:
    """Every code that applies is listed; illegal decisions are still carried out."""

    def test_are_listed_together(self) -> None:
        """Nine codes in one round.

        Eight twos of clubs are burnt and ``drawn`` says 52; a split hand stands twice, its other
        half has no card and nothing was raised; 4.00 insure 10.00 under a ten; a side bet has no
        main bet; a card lies on a box nobody has.
        """
        bets = (
            bet("b1", play="PSS,"),
            bet("b2", "insurance", "4.00"),
            bet("b3", "21+3", "1.00", box=3),
        )
        text = "1:9S D:TH 1:9H D:8C 1a:2C 6:2C"

        (output,) = replay(shoe(*["2C"] * 8), deal(text, *bets))

        assert output["anomalies"] == [
            *("extra-card", "illegal-play", "insurance-amount", "insurance-not-offered"),
            *("main-bet-missing", "missing-card", "raise-mismatch", "shoe-gap", "too-many-copies"),
        ]
        assert output["bets"] == {}

    def test_include_a_missing_raise_of_an_illegal_decision(self) -> None:
        """A nine and a seven are split, a third card doubled: both cost their raise."""
        split = "1:9S D:TD 1:7C D:8C 1a:2C 1b:3C"
        late_double = "1:2S D:TD 1:3C D:8C 1:4C 1:5C"

        assert verdict_of(split, bet("b1", play="P,", **raised(1))) == "illegal-play"
        assert verdict_of(split, bet("b1", play="P,")) == "illegal-play raise-mismatch"
        assert verdict_of(late_double, bet("b1", play="HD", **raised(1))) == "illegal-play"
        assert verdict_of(late_double, bet("b1", play="HD")) == "illegal-play raise-mismatch"

    def test_omit_decisions_after_a_missing_card(self) -> None:
        """Of H, H, D the second hit has no card: the double is not judged, but costs its raise."""
        text = "1:2S D:TD 1:3C D:8C 1:4C"

        assert verdict_of(text, bet("b1", play="HHD", **raised(1))) == "missing-card"
        assert verdict_of(text, bet("b1", play="HHD")) == "missing-card raise-mismatch"

    def test_include_those_of_the_other_half_of_a_split(self) -> None:
        """The first hand lacks its card, the second stands twice."""
        text = "1:8S D:TD 1:8C D:8D 1a:2C 1b:3C"

        assert verdict_of(text, bet("b1", play="PH,SS", **raised(1))) == "illegal-play missing-card"
        assert verdict_of(text, bet("b1", play="PH,S", **raised(1))) == "missing-card"

    def test_omit_points_but_not_the_grid_after_a_missing_card(self) -> None:
        """Six points, a bonus bet, no bonus, no hole card."""
        no_hole_card = "1:8S 2:8C D:TD 1:6C 2:6D"
        bets = bet("b1"), bet("b2", "mega_fire_blaze", "1.00")
        mega = bonus("mega", "20", "1:10 36:10", "", "", "")
        wrong = bonus("mega", "21", "1:10 36:10", "", "", "")

        assert verdict_of(no_hole_card, *bets, rules=MFB) == "missing-card"
        assert verdict_of(no_hole_card, *bets, rules=MFB, bonus=mega) == "missing-card"
        assert verdict_of(no_hole_card, *bets, rules=MFB, bonus=wrong) == "bonus-grid missing-card"

    def test_include_points_and_bonus_after_an_extra_card(self) -> None:
        """Both are judged on the cards that the rules explain."""
        bets = bet("b1"), bet("b2", "mega_fire_blaze", "1.00")

        assert verdict_of(f"{SIX_POINTS} 1:2C", *bets, rules=MFB) == "bonus-missing extra-card"
        wrong = bonus("mini", "7", "1:5", "", "", "")
        assert verdict_of(f"{MFB_WINS} 1:2C", *bets, rules=MFB, bonus=wrong) == (
            "bonus-grid bonus-unearned extra-card"
        )

    def test_include_multiplier_cards_and_money_after_a_missing_card(self) -> None:
        """None of them depends on the card."""
        bets = bet("b1", **raised(1)), bet("b2", "player_pair", "1.00", player="p-2")

        assert verdict_of("1:9S D:TD 1:TC", *bets, rules=QB, multipliers={}) == (
            "main-bet-missing missing-card multiplier-cards raise-mismatch"
        )

    def test_include_insurance_without_a_hole_card(self) -> None:
        """Insurance depends on the upcard only."""
        insured = bet("b2", "insurance", "5.01")

        assert verdict_of("1:9S D:AD 1:TC", bet("b1"), insured) == "insurance-amount missing-card"
        assert verdict_of("1:9S D:TD 1:TC", bet("b1"), insured) == (
            "insurance-amount insurance-not-offered missing-card"
        )


class TestDetail23NothingToDecide:
    """Any decision is illegal, ``S`` included, on a finished hand or after a blackjack was seen."""

    @pytest.mark.parametrize(
        ("text", "play", "times"),
        [
            ("1:AS D:TD 1:KC D:8C", "S", 0),  # blackjack
            ("1:5S D:TD 1:6C D:8C 1:TH", "HS", 0),  # 21
            ("1:5S D:TD 1:6C D:8C 1:3H", "DS", 1),  # doubled
            ("1:9S D:TD 1:7C D:8C 1:TH", "HS", 0),  # bust
            ("1:AS D:TD 1:AC D:8C 1a:2C 1b:3C", "PS,", 1),  # split Aces
            ("1:AS D:TD 1:AC D:8C 1a:2C 1b:3C", "P,S", 1),
            ("1:KS D:TD 1:TC D:8C 1a:AD 1b:3C", "PS,", 1),  # 21 of a split
            ("1:9S D:TD 1:9C D:8C", "SS", 0),  # stood
        ],
    )
    def test_makes_a_stand_illegal(self, text: str, play: str, times: int) -> None:
        """The same cards without the last stand are legal."""
        without = play.replace("S", "", 1) if play != "SS" else "S"

        assert verdict_of(text, bet("b1", play=play, **raised(times))) == "illegal-play"
        assert verdict_of(text, bet("b1", play=without, **raised(times))) == "settled"

    def test_includes_a_dealer_blackjack_under_an_ace_at_blackjack(self) -> None:
        """Box 1 stands; box 2 decides nothing; the play of a void bet is ignored."""
        text = "1:9S 2:9C D:AD 1:TC 2:TH D:KC"
        other = bet("b2", box=2)

        assert verdict_of(text, bet("b1", play="S"), other) == "illegal-play"
        assert graded(
            text, bet("b1"), other, bet("b3", box=3, play="H", placed_at=AFTER_CLOSING)
        ) == [
            *("lose 0.00", "lose 0.00", "void 10.00"),
        ]

    @pytest.mark.parametrize(("up", "hole"), [("AD", "KC"), ("KC", "AD")])
    def test_excludes_a_dealer_blackjack_at_quantum_and_mega_fire_blaze(
        self, up: str, hole: str
    ) -> None:
        """Eighteen may stand; a blackjack still takes no decision and pushes."""
        for rules, other in ((QB, ("", "")), (MFB, ("2:9C ", "2:9D "))):
            eighteen = f"1:9S {other[0]}D:{up} 1:9H {other[1]}D:{hole}"
            blackjack = f"1:AS {other[0]}D:{up} 1:TH {other[1]}D:{hole}"

            assert graded(eighteen, bet("b1", play="S"), rules=rules) == ["lose 0.00"]
            assert verdict_of(blackjack, bet("b1", play="S"), rules=rules) == "illegal-play"
            assert graded(blackjack, bet("b1"), rules=rules) == ["push 10.00"]


class TestDetail24TheOrderOfTheDeal:
    """A card out of order is an extra card."""

    @pytest.mark.parametrize(
        "text",
        [
            "1:5S 2:9C D:TD 1:6C 2:9D 1:2H D:8C",  # a hit before the hole card
            "1:5S D:TD 1:6C D:8C 1:2H 2:9C 2:9D",  # before the other box is dealt
            "1:5S 2:9C D:TD 1:6C D:8C D:2S 1:2H 2:9D",  # so does the dealer
        ],
    )
    def test_deals_two_cards_to_every_place_first(self, text: str) -> None:
        """Box 2 of Mega Fire Blaze is dealt without a bet; the last case also draws on eighteen."""
        assert verdict_of(text, bet("b1", play="H"), rules=MFB) == "extra-card"

    def test_lets_the_dealer_draw_before_a_hand_is_played(self) -> None:
        """After the opening the order across places is free: 13 hits to 21 against nineteen."""
        text = "1:5S D:TD 1:8C D:2C D:7S 1:8H"

        assert graded(text, bet("b1", play="H")) == ["win 20.00"]

    def test_lets_banker_draw_after_player_only(self) -> None:
        """Player's five draws a four, so Banker's five draws a six: Player nine, Banker one."""
        opening = "P:2S B:2H P:3D B:3C"

        assert graded(f"{opening} P:4S B:6H", coup("b1", "player"), rules=BAC) == ["win 20.00"]
        assert verdict_of(f"{opening} B:6H P:4S", coup("b1", "player"), rules=BAC) == "extra-card"
        assert verdict_of("P:2S B:2H P:3D P:4S B:3C B:6H", rules=BAC) == "extra-card"
