"""Contract, "What comes out": every row of the table of anomalies, alone in its round.

Each case is legal except for the one thing in its row. The rows of the status table follow.
"""

from typing import Final

import pytest

from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    FAMILY,
    MFB,
    MINOR,
    NO_MATTER,
    QB,
    SIX_POINTS,
    ZAP,
    Document,
    bet,
    bonus,
    coup,
    deal,
    grades_in,
    replay,
    result,
    shoe,
    verdict_of,
)

EIGHTEEN: Final = {
    BJ: "1:9S D:TD 1:9C D:8C",
    MFB: "1:9S 2:9H D:TD 1:9C 2:9D D:8C",
    QB: "1:9S D:TD 1:9C D:8C",
    ZAP: "1:9S D:TD 1:9C D:8C",
}
"""Box 1 has eighteen, the dealer too; box 2 of Mega Fire Blaze as well."""
MAIN: Final = bet("b1")


@pytest.mark.parametrize("rules", FAMILY)
class TestAnAnomalyOfTheFamily:
    """At all four tables of the blackjack family."""

    def test_is_absent_from_the_base_round(self, rules: str) -> None:
        """So each case below has exactly one thing wrong."""
        assert verdict_of(EIGHTEEN[rules], MAIN, rules=rules) == "settled"

    @pytest.mark.parametrize(
        ("code", "rest", "bets"),
        [
            ("missing-card", "", [bet("b1", play="H")]),
            ("missing-card", "1a:2C", [bet("b1", play="P,", raised="10.00")]),
            ("extra-card", "1:2C", [MAIN]),
            ("extra-card", "D:2C", [MAIN]),
            ("extra-card", "3z:2C", [MAIN]),
            ("extra-card", "P:2C", [MAIN]),
            ("illegal-play", "1:2C", [bet("b1", play="SH")]),
            ("illegal-play", "1:9D 1:TC", [bet("b1", play="HH")]),
            ("raise-mismatch", "1:2C", [bet("b1", play="D", raised="9.99")]),
            ("raise-mismatch", "", [bet("b1", raised="10.00")]),
            ("insurance-not-offered", "", [MAIN, bet("b2", "insurance", "5.00")]),
            ("payout-differs", "", [bet("b1", reported="20.00")]),
        ],
    )
    def test_is_reported_alone(
        self, rules: str, code: str, rest: str, bets: list[Document]
    ) -> None:
        """With its code and no other."""
        assert verdict_of(f"{EIGHTEEN[rules]} {rest}".strip(), *bets, rules=rules) == code

    def test_is_an_insurance_without_its_main_bet(self, rules: str) -> None:
        """With an Ace up, on another box than the player's main bet."""
        text = EIGHTEEN[rules].replace("D:TD", "D:AD")

        assert verdict_of(text, MAIN, bet("b2", "insurance", "5.00", box=2), rules=rules) == (
            "main-bet-missing"
        )

    @pytest.mark.parametrize("amount", ["4.99", "5.01", "10.00", "0.01"])
    def test_is_an_insurance_of_another_amount(self, rules: str, amount: str) -> None:
        """Half of 10.00 is 5.00."""
        text = EIGHTEEN[rules].replace("D:TD", "D:AD")

        assert verdict_of(text, MAIN, bet("b2", "insurance", "5.00"), rules=rules) == "settled"
        assert (
            verdict_of(text, MAIN, bet("b2", "insurance", amount), rules=rules)
            == "insurance-amount"
        )

    @pytest.mark.parametrize(("stake", "half"), [("10.01", "5.00"), ("0.03", "0.01")])
    def test_is_an_insurance_rounded_up(self, rules: str, stake: str, half: str) -> None:
        """R: half of an odd stake is rounded down."""
        text = EIGHTEEN[rules].replace("D:TD", "D:AD")
        up = half[:-1] + str(int(half[-1]) + 1)
        main = bet("b1", stake=stake)

        assert verdict_of(text, main, bet("b2", "insurance", half), rules=rules) == "settled"
        assert verdict_of(text, main, bet("b2", "insurance", up), rules=rules) == "insurance-amount"


class TestASideBetWithoutItsMainBet:
    """``main-bet-missing``, by game and kind."""

    @pytest.mark.parametrize(
        ("rules", "kind"),
        [
            (BJ, "perfect_pairs"),
            (BJ, "21+3"),
            (MFB, "21+3"),
            (MFB, "player_pair"),
            (MFB, "dealer_pair"),
            (MFB, "mega_fire_blaze"),
            (QB, "player_pair"),
            (QB, "21+3"),
        ],
    )
    def test_is_reported(self, rules: str, kind: str) -> None:
        """Another player's main bet on the box does not replace it."""
        side_bet = bet("b2", kind, "1.00", player="p-2")

        assert verdict_of(EIGHTEEN[rules], MAIN, side_bet, rules=rules) == "main-bet-missing"

    @pytest.mark.parametrize(
        "kind", ["player_pair", "banker_pair", "either_pair", "perfect_pair", "big", "small"]
    )
    def test_is_legal_at_baccarat(self, kind: str) -> None:
        """[BAC] Puntate collaterali: none needs a main bet."""
        assert verdict_of("P:4S B:7H P:5D B:TC", coup("b1", kind), rules=BAC) == "settled"


class TestAnAnomalyOfOneGame:
    """The rows of shoes, bonus, multiplier cards and coups."""

    @pytest.mark.parametrize(
        ("code", "text"),
        [
            ("missing-card", "P:4S B:7H P:5D"),
            ("missing-card", "P:2S B:7H P:3D B:TC"),
            ("extra-card", "P:4S B:7H P:5D B:TC B:2C"),
            ("extra-card", "P:4S B:7H P:5D B:TC 1:2C"),
        ],
    )
    def test_is_a_missing_or_extra_card_of_a_coup(self, code: str, text: str) -> None:
        """Banker has one card; Player's five must draw; Banker's seven stays; no boxes."""
        assert verdict_of(text, coup("b1", "tie"), rules=BAC) == code

    @pytest.mark.parametrize(("rules", "decks"), [(BJ, 8), (MFB, 8), (QB, 6), (BAC, 8), (ZAP, 6)])
    def test_is_one_copy_more_than_the_decks_hold(self, rules: str, decks: int) -> None:
        """Burnt face up at tables with a shoe; at Zappit drawn by a hand of twos."""
        if rules == ZAP:
            twos = " ".join(["1:2S"] * (decks - 1))
            text = f"1:2S D:TD 1:2S D:8C {twos}"
            assert (
                verdict_of(text, bet("b1", play="H" * (decks - 1)), rules=ZAP) == "too-many-copies"
            )
            return
        nines = "P:9S B:7H P:TD B:TC" if rules == BAC else EIGHTEEN[rules]
        item = coup("b1", "tie") if rules == BAC else MAIN
        most, more = (
            replay(
                shoe(*["9S"] * burnt),
                deal(nines, item, rules=rules, shoe={"id": "s-1", "drawn": burnt}),
            )[0]
            for burnt in (decks - 1, decks)
        )

        assert (most["status"], more["anomalies"]) == ("settled", ["too-many-copies"])

    @pytest.mark.parametrize("rules", [BJ, MFB, QB])
    def test_is_a_gap_in_the_shoe(self, rules: str) -> None:
        """One card after the end of the shoe's last round."""
        first = deal(EIGHTEEN[rules], MAIN, rules=rules, shoe={"id": "s", "drawn": 10})
        after = 10 + len(EIGHTEEN[rules].split())
        second = deal(
            EIGHTEEN[rules], MAIN, rules=rules, round="r-2", shoe={"id": "s", "drawn": after + 1}
        )

        assert replay(first, second)[1]["anomalies"] == ["shoe-gap"]

    def test_is_a_bonus_missing_unearned_or_wrong(self) -> None:
        """Six points earn a minor; eighteen everywhere earns nothing."""
        blaze = bet("b2", "mega_fire_blaze", "1.00")
        wrong = bonus("minor", "3", "1:2", "", "", "")

        assert verdict_of(SIX_POINTS, MAIN, blaze, rules=MFB) == "bonus-missing"
        assert verdict_of(EIGHTEEN[MFB], MAIN, blaze, rules=MFB, bonus=MINOR) == "bonus-unearned"
        assert verdict_of(SIX_POINTS, MAIN, blaze, rules=MFB, bonus=wrong) == "bonus-grid"
        assert verdict_of(SIX_POINTS, MAIN, blaze, rules=MFB, bonus=MINOR) == "settled"

    @pytest.mark.parametrize("count", [0, 1, 2, 4, 6])
    def test_is_a_wrong_number_of_multiplier_cards(self, count: int) -> None:
        """Quantum has three or five."""
        some = dict.fromkeys([f"Q{suit}" for suit in "SHDC"] + ["KS", "KH"], "3")
        held = dict([*some.items()][:count])

        assert verdict_of(EIGHTEEN[QB], MAIN, rules=QB, multipliers=held) == "multiplier-cards"

    def test_is_an_unknown_multiplier(self) -> None:
        """Quantum has no multiplier of two."""
        assert verdict_of(EIGHTEEN[QB], MAIN, rules=QB, multipliers=NO_MATTER | {"QS": "2"}) == (
            "multiplier-cards"
        )


class TestAStatus:
    """Each of the four, and what its result contains."""

    def test_is_settled_with_all_bets(self) -> None:
        """Round, status, anomalies, bets, and nothing else at blackjack."""
        assert result(EIGHTEEN[BJ], MAIN) == {
            "round": "r-1",
            "status": "settled",
            "anomalies": [],
            "bets": {"b1": {"outcome": "push", "payout": "10.00"}},
        }

    def test_is_held_without_bets(self) -> None:
        """No money moves."""
        assert result(EIGHTEEN[BJ], bet("b1", play="H")) == {
            "round": "r-1",
            "status": "held",
            "anomalies": ["missing-card"],
            "bets": {},
        }

    def test_is_rejected_with_its_line_and_reason(self) -> None:
        """And the round id, or null if it is invalid."""
        broken = deal(EIGHTEEN[BJ], bet("b1", stake="ten"))
        output = replay(b"", broken, deal("", round="not an id"))

        assert output[0] == {
            "round": "r-1",
            "status": "rejected",
            "error": "bets[0].stake: found 'ten', needed an amount in euro with at most two"
            ' decimals, such as "10.00"',
            "line": 2,
        }
        assert (output[1]["round"], output[1]["line"]) == (None, 3)

    def test_is_void_with_all_bets_void(self) -> None:
        """Everything staked goes back."""
        output = result(EIGHTEEN[BJ], bet("b1", raised="2.00"), incident="malfunction")

        assert (output["status"], output["anomalies"]) == ("void", [])
        assert grades_in(output) == ["void 12.00"]

    def test_is_settled_for_the_example_of_the_contract(self) -> None:
        """Eights split against a soft eighteen: the example of "A round", card by card.

        8, 3, K is 21 and wins; 8, T is eighteen and pushes: 30.00. Hearts and diamonds are a
        coloured pair, 12:1 on 1.00; the hole card is a seven, so the insurance loses.
        """
        text = "1:8H D:AS 1:8D D:7S 1a:3C 1a:KD 1b:TD"
        bets = (
            bet("b1", play="PH,", raised="10.00", reported="30.00"),
            bet("b2", "perfect_pairs", "1.00"),
            bet("b3", "insurance", "5.00"),
        )

        assert grades_in(result(text, *bets)) == ["win 30.00", "win 13.00", "lose 0.00"]
