"""The returns of the readings not adopted, as stated in the register."""

from fractions import Fraction
from functools import cache

import pytest

from compliance.certification.returns.alternative_readings import OtherReading, other_readings
from compliance.certification.returns.changed_rules import without_straight
from compliance.certification.returns.exact_returns import percent_text
from compliance.certification.returns.side_bets import side_bet_return
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.blackjack.games.live_blackjack import GAME as LIVE_BLACKJACK
from rounds.rules.catalogue import RULE_SETS, rule_set
from tests.rounds.rules.dealing import BACCARAT, BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM

pytestmark = pytest.mark.slow


@cache
def others_of(rules: str) -> tuple[OtherReading, ...]:
    """All other readings of a rule set."""
    return tuple(other_readings(rule_set(rules)))


def returns(rules: str, kind: str, ambiguity: str) -> list[str]:
    """The returns of the bet under the other readings, in per cent."""
    return [
        percent_text(other.share, places=2)
        for other in others_of(rules)
        if (other.kind, other.ambiguity) == (kind, ambiguity)
        and (other.basis, other.strategy) in {("initial", None), ("initial", "cd")}
    ]


class TestOtherReadings:
    """Computed like the adopted ones, with the same odds and decks."""

    @pytest.mark.parametrize(
        ("rules", "kind", "ambiguity", "expected"),
        [
            (BLACKJACK, "21+3", "straight-ace", ["92.86", "99.73"]),
            (MEGA_FIRE_BLAZE, "21+3", "straight-ace", ["92.86", "99.73"]),
            (BLACKJACK, "perfect_pairs", "rank-or-value", ["190.21"]),
            (MEGA_FIRE_BLAZE, "dealer_pair", "rank-or-value", ["190.21"]),
            (QUANTUM, "player_pair", "rank-or-value", ["188.28"]),
            (BACCARAT, "tie", "tie-nine-for-one", ["95.16"]),
            (BACCARAT, "banker", "banker-commission", ["96.65"]),
            (BACCARAT, "tie", "baccarat-decks", ["85.56"]),
            (BLACKJACK, "main", "look-under-ten", ["99.39", "99.28"]),
            (BLACKJACK, "main", "all-lost-to-ten-up-blackjack", ["99.39"]),
            (QUANTUM, "main", "soft-seventeen", ["84.57"]),
        ],
    )
    def test_have_the_returns_of_the_register(
        self, rules: str, kind: str, ambiguity: str, expected: list[str]
    ) -> None:
        """Readings, row of 21+3; the register; 14.4382 % less on six decks."""
        assert returns(rules, kind, ambiguity) == expected

    @pytest.mark.parametrize(
        "key",
        [
            "straight-ace",
            "tie-nine-for-one",
            "banker-commission",
            "look-under-ten",
            "all-lost-to-ten-up-blackjack",
        ],
    )
    def test_agree_with_the_register_text(self, key: str) -> None:
        """The register was written before these figures were computed."""
        for other in others_of(BACCARAT):
            self.assert_reading(other, key)
        for other in others_of(BLACKJACK):
            self.assert_reading(other, key)

    def assert_reading(self, reading: OtherReading, key: str) -> None:
        """Asserts that the reading's text has the figure."""
        if (reading.ambiguity, reading.basis) == (key, "initial"):
            assert percent_text(reading.share, places=2) in reading.reading.means

    def test_of_a_high_and_a_low_ace_have_the_same_return(self) -> None:
        """The register describes both as one reading."""
        bet = LIVE_BLACKJACK.side_bets[1]

        low, high = (
            side_bet_return(BLACKJACK, bet, decks=8, combination=without_straight(ranks)).rtp
            for ranks in ("QKA", "A23")
        )

        assert percent_text(low) == percent_text(high) == "92.857584"

    def test_of_straights_and_trips_cost_both_together(self) -> None:
        """The register: 87.20 with such trips alone, 75.87 with such straights alone."""
        both = (96.296087 - 87.20) + (96.296087 - 75.87)

        (alternative,) = returns(BLACKJACK, "21+3", "different-suits")

        assert float(alternative) == pytest.approx(96.296087 - both, abs=0.01)

    def test_of_two_perfect_pairs_pay_the_second_too(self) -> None:
        """After seven of 415: six of 414 are the same card again, with five of 413 to pair it."""
        both = Fraction(7, 415) * Fraction(6 * 5 + 408 * 7, 414 * 413)
        once = Fraction(1_469_338, 1_689_465)

        assert returns(BACCARAT, "perfect_pair", "perfect-pair-paid-once") == [
            percent_text(once + 25 * both, places=2)
        ]

    @pytest.mark.parametrize("name", RULE_SETS)
    def test_are_never_the_adopted_one(self, name: str) -> None:
        """Each names a point of the register and another reading of it."""
        for other in others_of(name):
            assert 0 < other.reading_index < len(REGISTER[other.ambiguity].readings)

    def test_of_returned_raises_cost_as_much_as_a_check(self) -> None:
        """Losing only the initial stake costs the same as the dealer's check: blackjack/1."""
        look, stake = (
            next(
                other.share
                for other in others_of(BLACKJACK)
                if (other.ambiguity, other.reading_index) == key
            )
            for key in (("look-under-ten", 1), ("all-lost-to-ten-up-blackjack", 1))
        )

        assert percent_text(look) == percent_text(stake)
