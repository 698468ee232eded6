"""Findings that depend on limits, the shoe, the bonus level or a lost connection."""

from typing import Any

import pytest

from rounds.rules.catalogue import RULE_SETS
from rounds.rules.explained.explanation import Money
from rounds.rules.findings.find_faults import find_faults
from rounds.rules.shoe import Shoe
from tests.rounds.contract.by_hand import BAC, BJ, MFB, QB, WINS, ZAP, bet, bonus, coup, left
from tests.rounds.rules.dealing import bet as main_bet
from tests.rounds.rules.dealing import dealt
from tests.rounds.rules.findings.finding_cases import (
    BOTH,
    EIGHTEEN,
    MULTIPLIERS,
    PLAIN,
    SIX_POINTS,
    findings,
    texts_of,
)


class TestATableFinding:
    """Findings that depend on the table's limits or its shoe."""

    @pytest.mark.parametrize("rules", [BJ, MFB, QB, ZAP])
    def test_names_a_stake_below_its_limits(self, rules: str) -> None:
        """With both limits."""
        text = BOTH if rules == MFB else EIGHTEEN
        fields: dict[str, Any] = {"multipliers": MULTIPLIERS} if rules == QB else {}
        limits = {"main": (2000, 5000)}

        faults = findings(text, PLAIN, rules=rules, limits=limits, **fields)

        assert texts_of(faults) == [
            "Staked €10.00; the table accepts €20.00 to €50.00 on this bet."
        ]
        assert faults[0].bets == (0,)
        assert [fault.values["needed"] for fault in faults] == [faults[0].values["needed"]]

    def test_names_each_stake_outside_its_limits(self) -> None:
        """At baccarat: one bet below, one above."""
        low, high = coup("b1", "tie", "0.50"), coup("b2", "player", "60.00")
        limits = {"tie": (100, 200), "player": (100, 5000)}

        faults = findings("P:4S B:7H P:5D B:TC", low, high, rules=BAC, limits=limits)

        assert texts_of(faults) == [
            "Staked €0.50; the table accepts €1.00 to €2.00 on this bet.",
            "Staked €60.00; the table accepts €1.00 to €50.00 on this bet.",
        ]
        assert [fault.bets for fault in faults] == [(0,), (1,)]

    def test_needs_the_limit_that_the_stake_has_broken(self) -> None:
        """The stake beside it is between both limits."""
        high, fair = coup("b1", "player", "60.00"), coup("b2", "banker", "20.00")
        limits = {"player": (100, 5000), "banker": (100, 5000)}

        [fault] = findings("P:4S B:7H P:5D B:TC", high, fair, rules=BAC, limits=limits)

        assert (fault.bets, fault.values["needed"]) == ((0,), Money(5000))

    def test_names_both_positions_of_the_shoe(self) -> None:
        """52 cards by the studio, 55 by the earlier rounds."""
        faults = findings(EIGHTEEN, PLAIN, shoe=Shoe(55))

        [words] = texts_of(faults)
        assert words == (
            "According to the studio, 52 cards had left the shoe before this round; according to"
            " the earlier rounds, 55."
        )

    def test_marks_the_card_beyond_eight_decks(self) -> None:
        """Only the ninth copy is marked."""
        shoe = Shoe().dealt(drawn=0, cards=["9C"] * 7)
        text = "1:9S D:TD 1:9C D:8C 2:9C"

        faults = [
            finding
            for finding in findings(text, PLAIN, shoe=shoe)
            if finding.code == "too-many-copies"
        ]

        assert texts_of(tuple(faults)) == [
            "9♣ was seen 9 times in this shoe; its decks contain it 8 times."
        ]
        assert faults[0].cards == (4,)

    def test_names_the_first_position_of_the_shoe(self) -> None:
        """No card, where the earlier rounds say 55."""
        round_ = dealt(EIGHTEEN, main_bet(), drawn=0)

        [fault] = find_faults(RULE_SETS[BJ], round_, Shoe(55))

        assert (fault.values["found"], fault.values["needed"]) == (0, 55)

    @pytest.mark.parametrize(
        ("seen", "copies"), [(8, [9, 10, 11]), (9, [10, 11, 12]), (253, [254, 255, 255])]
    )
    def test_counts_each_card_beyond_the_decks(self, seen: int, copies: list[int]) -> None:
        """As a shoe does, up to 255."""
        shoe = Shoe().dealt(drawn=0, cards=["9C"] * seen)
        text = f"{EIGHTEEN} 2:9C 2:9C"

        faults = findings(text, PLAIN, shoe=shoe)

        assert [
            fault.values["found"] for fault in faults if fault.code == "too-many-copies"
        ] == copies


@pytest.mark.parametrize("reported", ["10.00", "30.00"])
def test_a_reported_payout_is_found_if_it_is_less_or_more(reported: str) -> None:
    """Nineteen against eighteen pays 20.00."""
    [fault] = findings(WINS, bet("b1", reported=reported))

    assert (fault.code, fault.values["needed"]) == ("payout-differs", Money(2000))


def test_a_void_round_has_no_findings() -> None:
    """[BAC] A malfunction voids the round, whatever its cards are."""
    assert findings("P:2S D:9C", coup("b1", "tie"), rules=BAC, incident="malfunction") == ()


def test_a_bonus_of_another_level_names_both_levels() -> None:
    """Six points earn the minor bonus; a mega bonus was played."""
    played = bonus("mega", "3", "1:3", "", "", "")

    faults = findings(
        SIX_POINTS, PLAIN, bet("b2", "mega_fire_blaze", "1.00"), rules=MFB, bonus=played
    )

    codes = {each.code: texts_of((each,))[0] for each in faults}
    assert codes["bonus-unearned"] == ("The bonus Mega was played; 6 points earn the bonus Minor.")


def test_a_hand_finished_off_line_names_its_player() -> None:
    """The off-line dealer lacks a card."""
    disconnect = left(seen=4, own="1:2C")

    faults = findings(
        "1:9S 2:9H D:TD 1:4C 2:9D D:8C",
        bet("b1", play="H"),
        rules=MFB,
        disconnects=[disconnect],
    )

    assert faults
    assert {each.player for each in faults} == {"p-1"}
