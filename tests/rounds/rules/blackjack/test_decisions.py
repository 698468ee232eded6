"""Which decisions the rules allow: readings, "Blackjack family"; contract, "Plays and cards"."""

import pytest

from tests.rounds.rules.dealing import (
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    anomalies,
    bet,
)

FAMILY = (BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT)
ILLEGAL = ("illegal-play",)

TEN_CARDS = ["AS", "AH", "AD", "AC", "2S", "2H", "2D", "2C", "3S", "3H"]  # 18, never 21 before
THIRTEEN_CARDS = [f"A{suit}" for suit in "SHDC" * 2] + ["AS", "AH", "2S", "AD", "AC"]  # 14


def anomalies_of(
    first: str, second: str, play: str, rest: str = "", rules: str = BLACKJACK
) -> tuple[str, ...]:
    """The anomalies of a hand with this play and its correct raise, against a dealer's eighteen."""
    raises = play.count("D") + play.count("P")
    other = "2:9S {} 2:9C" if rules == MEGA_FIRE_BLAZE else "{}"
    deal = other.format(f"D:TH 1:{second}")
    main = bet(play=play, raised_cents=raises * 1000)
    return anomalies(f"1:{first} {deal} D:8C {rest}", main, rules=rules)


def on(place: str, *cards: str) -> str:
    """Cards of one place."""
    return " ".join(f"{place}:{card}" for card in cards)


@pytest.mark.parametrize("rules", FAMILY)
class TestAHand:
    """Rules of all four tables."""

    def test_may_hit_until_it_stands(self, rules: str) -> None:
        """The final stand may be left out."""
        assert anomalies_of("2S", "3H", "", rules=rules) == ()
        assert anomalies_of("2S", "3H", "S", rules=rules) == ()
        assert anomalies_of("2S", "3H", "HH", on("1", "4D", "5C"), rules=rules) == ()
        assert anomalies_of("2S", "3H", "HHS", on("1", "4D", "5C"), rules=rules) == ()

    @pytest.mark.parametrize("play", ["SS", "SH", "HSH", "SD", "HSS"])
    def test_takes_no_decision_after_a_stand(self, rules: str, play: str) -> None:
        """An illegal decision still explains its cards (detail 22)."""
        drawn = play.count("H") + play.count("D")

        assert (
            anomalies_of("2S", "3H", play, on("1", *["4D", "5C"][:drawn]), rules=rules) == ILLEGAL
        )

    @pytest.mark.parametrize("play", ["H", "S", "D"])
    def test_of_blackjack_takes_no_decision(self, rules: str, play: str) -> None:
        """Detail 23: a stand is illegal too."""
        drawn = () if play == "S" else ("5C",)

        assert anomalies_of("AS", "KH", play, on("1", *drawn), rules=rules) == ILLEGAL

    def test_takes_no_decision_on_21(self, rules: str) -> None:
        """Not even a stand."""
        assert anomalies_of("7S", "8H", "H", on("1", "6D"), rules=rules) == ()
        assert anomalies_of("7S", "8H", "HS", on("1", "6D"), rules=rules) == ILLEGAL
        assert anomalies_of("7S", "8H", "HH", on("1", "6D", "2C"), rules=rules) == ILLEGAL

    def test_takes_no_decision_once_bust(self, rules: str) -> None:
        """Not even a stand."""
        assert anomalies_of("7S", "8H", "HS", on("1", "7D"), rules=rules) == ILLEGAL

    def test_doubles_on_its_first_two_cards(self, rules: str) -> None:
        """One card follows, then it stands; no double after a hit."""
        assert anomalies_of("5S", "6H", "D", on("1", "2D"), rules=rules) == ()
        assert anomalies_of("5S", "6H", "DS", on("1", "2D"), rules=rules) == ILLEGAL
        assert anomalies_of("5S", "6H", "DH", on("1", "2D", "3D"), rules=rules) == ILLEGAL
        assert anomalies_of("5S", "6H", "DD", on("1", "2D", "3D"), rules=rules) == ILLEGAL
        assert anomalies_of("2S", "3H", "HD", on("1", "4D", "5C"), rules=rules) == ILLEGAL

    def test_splits_two_cards_of_one_value(self, rules: str) -> None:
        """Value, not rank: a king and a ten may be split, a six and a seven not."""
        both = f"{on('1a', '7C')} {on('1b', '8S')}"

        assert anomalies_of("KS", "TH", "P,", both, rules=rules) == ()
        assert anomalies_of("6S", "6H", "P,", both, rules=rules) == ()
        assert anomalies_of("6S", "7H", "P,", both, rules=rules) == ILLEGAL

    def test_splits_before_anything_else(self, rules: str) -> None:
        """Detail 30; the hit card and the cards of both hands are explained."""
        rest = f"{on('1', '2C')} {on('1a', '7C')} {on('1b', '8S')}"

        assert anomalies_of("6S", "6H", "HP,", rest, rules=rules) == ILLEGAL
        assert anomalies_of("6S", "6H", "SP,", rest.partition(" ")[2], rules=rules) == ILLEGAL

    def test_plays_both_hands_of_a_split_to_their_end(self, rules: str) -> None:
        """After P come the decisions of the first hand, a comma, and those of the second."""
        rest = f"{on('1a', '2C', '3C', '5H')} {on('1b', '8S', '3S')}"

        assert anomalies_of("6S", "6H", "PHHS,H", rest, rules=rules) == ()
        assert (
            anomalies_of("6S", "6H", "PSS,", f"{on('1a', '2C')} {on('1b', '8S')}", rules=rules)
            == ILLEGAL
        )
        assert (
            anomalies_of("6S", "6H", "P,SS", f"{on('1a', '2C')} {on('1b', '8S')}", rules=rules)
            == ILLEGAL
        )

    def test_of_split_aces_gets_one_card(self, rules: str) -> None:
        """Readings: any further decision is illegal; by detail 23 a stand too."""
        first, second = on("1a", "2C"), on("1b", "8S")

        assert anomalies_of("AS", "AH", "P,", f"{first} {second}", rules=rules) == ()
        assert anomalies_of("AS", "AH", "PS,", f"{first} {second}", rules=rules) == ILLEGAL
        assert anomalies_of("AS", "AH", "PH,", f"{first} 1a:3S {second}", rules=rules) == ILLEGAL
        assert anomalies_of("AS", "AH", "P,D", f"{first} {second} 1b:3S", rules=rules) == ILLEGAL

    def test_of_a_split_takes_no_decision_on_21(self, rules: str) -> None:
        """Ten and Ace: 21, though no blackjack."""
        rest = f"{on('1a', 'AC')} {on('1b', '8S')}"

        assert anomalies_of("KS", "TH", "P,", rest, rules=rules) == ()
        assert anomalies_of("KS", "TH", "PS,", rest, rules=rules) == ILLEGAL

    def test_of_a_split_doubles_on_two_cards_only(self, rules: str) -> None:
        """Illegal after a hit at all four tables."""
        rest = f"{on('1a', '2C', '3C', '4C')} {on('1b', '8S')}"

        assert anomalies_of("6S", "6H", "PHD,", rest, rules=rules) == ILLEGAL


class TestAPlayOfAnyLength:
    """The contract sets no maximum length of a play."""

    def test_is_carried_out(self) -> None:
        """A thousand hits after a stand: each has its card, or one is missing."""
        hits, cards = 1000, on("1", *["2C", "3D", "4S", "5H"] * 250)

        assert anomalies_of("2S", "3H", "S" + "H" * hits, cards) == (
            "illegal-play",
            "too-many-copies",
        )
        assert anomalies_of("2S", "3H", "S" + "H" * (hits + 1), cards) == (
            *("illegal-play", "missing-card"),
            "too-many-copies",
        )


class TestADoubleAfterASplit:
    """[BJ] Obiettivo del gioco: no; [MFB] Raddoppia, [QB] Raddoppia: yes; [ZAP]: yes."""

    REST = f"{on('1a', '5C', '3C')} {on('1b', '8S')}"

    def test_is_illegal_at_blackjack(self) -> None:
        """No double after a split."""
        assert anomalies_of("6S", "6H", "PD,", self.REST) == ILLEGAL

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT])
    def test_is_legal_elsewhere(self, rules: str) -> None:
        """It costs another stake."""
        assert anomalies_of("6S", "6H", "PD,", self.REST, rules=rules) == ()


class TestAHandOfManyCards:
    """Contract, detail 26."""

    def test_takes_no_decision_on_ten_cards_at_mega_fire_blaze(self) -> None:
        """[MFB] Charlie 10 Carte: 18 on ten cards."""
        first, second, *rest = TEN_CARDS
        hits = "H" * 8

        assert anomalies_of(first, second, hits, on("1", *rest), MEGA_FIRE_BLAZE) == ()
        assert anomalies_of(first, second, f"{hits}S", on("1", *rest), MEGA_FIRE_BLAZE) == ILLEGAL
        assert (
            anomalies_of(first, second, f"{hits}H", on("1", *rest, "2S"), MEGA_FIRE_BLAZE)
            == ILLEGAL
        )

    def test_takes_decisions_on_ten_cards_elsewhere(self) -> None:
        """No other sheet has a Charlie."""
        first, second, *rest = TEN_CARDS

        for rules in (BLACKJACK, QUANTUM, ZAPPIT):
            assert anomalies_of(first, second, "H" * 9, on("1", *rest, "2S"), rules) == ()

    def test_takes_no_decision_on_thirteen_cards_at_zappit(self) -> None:
        """[ZAP] Regole: thirteen cards stand."""
        first, second, *rest = THIRTEEN_CARDS
        hits = "H" * 11

        assert anomalies_of(first, second, hits, on("1", *rest), ZAPPIT) == ()
        assert anomalies_of(first, second, f"{hits}S", on("1", *rest), ZAPPIT) == ILLEGAL
        assert anomalies_of(first, second, f"{hits}H", on("1", *rest, "3S"), ZAPPIT) == ILLEGAL

    def test_includes_the_split_card(self) -> None:
        """Hands of a split count alike: 2 and nine cards more make ten, 19."""
        nine = ["AS", "AH", "AD", "AC", "2S", "2H", "3D", "3C", "3S"]
        rest = f"{on('1a', *nine)} {on('1b', '8S')}"

        assert anomalies_of("2S", "2H", f"P{'H' * 8},", rest, MEGA_FIRE_BLAZE) == ()
        assert anomalies_of("2S", "2H", f"P{'H' * 8}S,", rest, MEGA_FIRE_BLAZE) == ILLEGAL


class TestAZap:
    """[ZAP] Regole: a hard 15 to 18 on two cards, as the very first decision."""

    @pytest.mark.parametrize(
        ("first", "second"), [("9S", "6H"), ("TS", "6H"), ("TS", "7H"), ("TS", "8H"), ("9S", "9H")]
    )
    def test_exchanges_a_hard_15_to_18(self, first: str, second: str) -> None:
        """For two new cards."""
        assert anomalies_of(first, second, "Z", on("1z", "5C", "6C"), ZAPPIT) == ()

    @pytest.mark.parametrize(
        ("first", "second"), [("TS", "4H"), ("TS", "9H"), ("AS", "4H"), ("AS", "7H"), ("TS", "TH")]
    )
    def test_exchanges_no_other_hand(self, first: str, second: str) -> None:
        """14, 19, soft 15, soft 18, 20; the new cards are still explained."""
        assert anomalies_of(first, second, "Z", on("1z", "5C", "6C"), ZAPPIT) == ILLEGAL

    def test_is_legal_only_as_the_first_decision(self) -> None:
        """[ZAP] Regole: not after another action; never twice."""
        zapped = on("1z", "5C", "9C")

        assert anomalies_of("9S", "6H", "HZ", f"1:2S {zapped}", ZAPPIT) == ILLEGAL
        assert anomalies_of("9S", "6H", "SZ", zapped, ZAPPIT) == ILLEGAL
        assert anomalies_of("9S", "6H", "ZZ", f"{on('1z', '7C', '9C')} {zapped}", ZAPPIT) == ILLEGAL

    def test_allows_hits_stands_and_doubles_after_it(self) -> None:
        """R: after a zap the hand goes on, its double on the two new cards."""
        zapped = on("1z", "5C", "6C")

        assert anomalies_of("9S", "6H", "ZS", zapped, ZAPPIT) == ()
        assert anomalies_of("9S", "6H", "ZHS", f"{zapped} 1z:2S", ZAPPIT) == ()
        assert anomalies_of("9S", "6H", "ZD", f"{zapped} 1z:2S", ZAPPIT) == ()
        assert anomalies_of("9S", "6H", "ZHD", f"{zapped} 1z:2S 1z:3S", ZAPPIT) == ILLEGAL

    def test_allows_no_split_after_it(self) -> None:
        """R: a split is only ever the first decision."""
        rest = f"{on('1z', '8C', '8D')} 1a:2S 1b:3S"

        assert anomalies_of("9S", "6H", "ZP,", rest, ZAPPIT) == ILLEGAL

    def test_that_gives_21_ends_the_hand(self) -> None:
        """21 stands by itself."""
        assert anomalies_of("9S", "6H", "Z", on("1z", "AC", "KC"), ZAPPIT) == ()
        assert anomalies_of("9S", "6H", "ZS", on("1z", "AC", "KC"), ZAPPIT) == ILLEGAL

    def test_is_illegal_on_hands_of_a_split(self) -> None:
        """R: eight and ten make a hard 18; the new cards are explained."""
        rest = "1a:TC 1b:9C 1z:2S 1z:3S"

        assert anomalies_of("8S", "8H", "PZ,", rest, ZAPPIT) == ILLEGAL

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM])
    def test_is_illegal_elsewhere(self, rules: str) -> None:
        """Detail 30; still carried out, so its cards are explained or missing."""
        assert anomalies_of("9S", "6H", "Z", on("1z", "5C", "6C"), rules) == ILLEGAL
        assert anomalies_of("9S", "6H", "Z", "1z:5C", rules) == ("illegal-play", "missing-card")


class TestARaise:
    """Anomaly ``raise-mismatch``: ``raised`` is not what ``play`` costs."""

    @pytest.mark.parametrize(
        ("play", "rest", "raised"),
        [
            ("", "", 1),
            ("D", "1:2C", 0),
            ("D", "1:2C", 999),
            ("D", "1:2C", 2000),
            ("H", "1:2C", 1000),
        ],
    )
    def test_other_than_the_price_of_the_play_is_reported(
        self, play: str, rest: str, raised: int
    ) -> None:
        """A double and a split cost a stake each, other decisions cost nothing."""
        text = f"1:5S D:TH 1:5H D:8C {rest}"

        assert anomalies(text, bet(play=play, raised_cents=raised)) == ("raise-mismatch",)

    def test_is_a_stake_for_the_split_and_one_for_each_double(self) -> None:
        """At Quantum: split and both hands doubled cost three stakes."""
        text = "1:5S D:TH 1:5H D:8C 1a:2S 1a:3S 1b:4S 1b:6S"

        assert anomalies(text, bet(play="PD,D", raised_cents=3000), rules=QUANTUM) == ()
        assert anomalies(text, bet(play="PD,D", raised_cents=2000), rules=QUANTUM) == (
            "raise-mismatch",
        )

    def test_is_due_for_an_illegal_decision_too(self) -> None:
        """Detail 22: it costs its raise."""
        text = "1:2S D:TH 1:3H D:8C 1:4S 1:5S"

        assert anomalies(text, bet(play="HD", raised_cents=1000)) == ILLEGAL
        assert anomalies(text, bet(play="HD")) == ("illegal-play", "raise-mismatch")
