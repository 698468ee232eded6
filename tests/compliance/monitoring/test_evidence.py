"""Evidence against a table has a bounded rate of false alarms."""

from collections import Counter
from fractions import Fraction
from math import exp, log
from typing import Any, Final

import numpy as np
import pytest

from compliance.certification.returns.baccarat import baccarat_returns
from compliance.certification.returns.exact_returns import BetReturn, Outcome, bet_return
from compliance.monitoring.statistics.evidence import SHIFTS, Evidence, alarms, alternatives_of
from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.catalogue import RULE_SETS

COIN: Final = bet_return(
    "coin/1", "heads", {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}, {"heads": Fraction(2)}
)
ROUNDS_A_DAY: Final = 1_000
YEAR: Final = 365


def bets() -> dict[str, BetReturn]:
    """The bets of baccarat, by their kinds."""
    game = RULE_SETS["baccarat/1"].declaration
    assert isinstance(game, BaccaratGame)
    return {bet_return.kind: bet_return for bet_return in baccarat_returns("baccarat/1", game)}


Counts = np.ndarray[Any, np.dtype[np.int64]]
"""By year, day and outcome."""


def days(bet: BetReturn, *, of: int, seed: int, chances: dict[str, float] | None = None) -> Counts:
    """Outcomes of this many years, counted by day."""
    dice = np.random.default_rng(seed)
    known = chances or {outcome.name: float(outcome.probability) for outcome in bet.outcomes}
    shares = np.array([known[outcome.name] for outcome in bet.outcomes])
    return dice.multinomial(ROUNDS_A_DAY, shares / shares.sum(), size=(of, YEAR))


def highest(bet: BetReturn, counts: Counts) -> list[float]:
    """The highest evidence of a daily look in each of these years.

    Computed for all years together; ``TestEvidence`` compares it with the class.
    """
    ratios = np.array(
        [
            [alternative.log_ratios.get(outcome.name, 0.0) for outcome in bet.outcomes]
            for alternative in alternatives_of(bet)
        ]
    )
    logs = np.cumsum(counts @ ratios.T, axis=1)
    evidence = np.logaddexp.reduce(logs, axis=2) - log(len(ratios))
    return [float(value) for value in evidence.max(axis=1)]


class TestAnAlternative:
    @pytest.mark.parametrize("kind", ["player", "banker", "tie", "small", "perfect_pair"])
    def test_is_a_distribution_with_the_shifted_return(self, kind: str) -> None:
        """Probabilities add up to one, the mean to the shifted return."""
        bet = bets()[kind]
        alternatives = alternatives_of(bet)

        assert alternatives
        for alternative in alternatives:
            chances = {
                outcome.name: float(outcome.probability) * exp(alternative.log_ratios[outcome.name])
                for outcome in bet.outcomes
            }
            mean = sum(chances[outcome.name] * float(outcome.pays) for outcome in bet.outcomes)
            assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
            assert mean - float(bet.rtp) == pytest.approx(alternative.shift, abs=1e-9)

    def test_shifts_both_ways(self) -> None:
        """Above and below the certified return."""
        shifts = [alternative.shift for alternative in alternatives_of(COIN)]

        assert shifts == [*(-shift for shift in SHIFTS), *SHIFTS]

    def test_needs_a_bet_that_can_end_in_two_ways(self) -> None:
        """A constant payout has no alternative."""
        sure = BetReturn(rules="x/1", kind="x", outcomes=(Outcome("x", Fraction(1), Fraction(1)),))
        with pytest.raises(ValueError, match="needed a bet with more than one payout"):
            Evidence(alternatives_of(sure))


class TestEvidence:
    def test_is_the_mean_of_likelihood_ratios(self) -> None:
        """By hand: a coin with one alternative each way, after heads, heads, tails."""
        evidence = Evidence(alternatives_of(COIN, shifts=(0.1,)))
        for side in ("heads", "heads", "tails"):
            evidence.add_round([side])

        fewer, more = 0.45 / 0.5, 0.55 / 0.5
        by_hand = (fewer**2 * more + more**2 * fewer) / 2
        assert exp(evidence.log_value) == pytest.approx(by_hand)
        assert evidence.leans() == 0.1
        assert evidence.rounds == 3

    def test_is_the_same_for_rounds_and_for_counts(self) -> None:
        """Round by round, or counted."""
        bet = bets()["player"]
        names = [outcome.name for outcome in bet.outcomes if outcome.probability]
        dealt = [names[n % len(names)] for n in range(500)]
        first, other = Evidence(alternatives_of(bet)), Evidence(alternatives_of(bet))
        for name in dealt:
            first.add_round([name])
        other.add_counts(Counter(dealt[:200]))
        other.add_counts(Counter(dealt[200:]))

        assert first.log_value == pytest.approx(other.log_value, abs=1e-9)
        assert first.rounds == other.rounds == 500

    def test_equals_the_evidence_of_the_simulation(self) -> None:
        """A year of daily evaluations."""
        bet = bets()["tie"]
        year = days(bet, of=1, seed=3)
        evidence, most = Evidence(alternatives_of(bet)), -1e9
        for day in year[0]:
            counted = zip(bet.outcomes, day, strict=True)
            evidence.add_counts({outcome.name: int(n) for outcome, n in counted if n})
            most = max(most, evidence.log_value)

        assert highest(bet, year) == [pytest.approx(most, abs=1e-9)]

    def test_is_fair_for_boxes_that_share_cards(self) -> None:
        """Two boxes with the same outcome count as one."""
        evidence = Evidence(alternatives_of(COIN, shifts=(0.1,)))
        evidence.add_round(["heads", "heads"])
        alone = Evidence(alternatives_of(COIN, shifts=(0.1,)))
        alone.add_round(["heads"])
        assert evidence.log_value == pytest.approx(alone.log_value)

        mixed = Evidence(alternatives_of(COIN, shifts=(0.1,)))
        mixed.add_round(["heads", "tails"])
        assert mixed.log_value == pytest.approx(0)


class TestAYearOfDailyLooks:
    """Seeded; the bound is a theorem, the simulation shows that the code keeps it."""

    @pytest.mark.parametrize("kind", ["player", "tie", "either_pair"])
    def test_gives_false_alarms_at_most_at_the_nominal_rate(self, kind: str) -> None:
        """At most 5 % of 1,000 years at a fair table reach evidence of 20.

        Three standard errors of the simulation are allowed.
        """
        bet = bets()[kind]
        years = days(bet, of=1_000, seed=20261122)

        alarmed = sum(most >= log(20) for most in highest(bet, years))

        assert alarmed <= 50 + 3 * (1_000 * 0.05 * 0.95) ** 0.5

    def test_finds_a_table_that_pays_too_little(self) -> None:
        """Two per cent of the stake, on Player: usually within the year, with its direction."""
        bet = bets()["player"]
        [low] = [
            alternative
            for alternative in alternatives_of(bet, shifts=(0.02,))
            if alternative.shift < 0
        ]
        chances = {
            outcome.name: float(outcome.probability) * exp(low.log_ratios[outcome.name])
            for outcome in bet.outcomes
        }
        years = days(bet, of=50, seed=7, chances=chances)

        alarms = sum(most >= log(100) for most in highest(bet, years))

        assert alarms >= 45


class TestManyWatches:
    def test_name_those_with_evidence_enough_for_their_number(self) -> None:
        """One alone needs 1/rate; of ten, one needs ten times as much, and two half of that."""
        quiet = {f"quiet {n}": 0.0 for n in range(8)}

        assert alarms({"a": log(20)}, rate=0.05) == {"a"}
        assert alarms({"a": log(19.9)}, rate=0.05) == frozenset()
        assert alarms({"a": log(100), "b": log(100), **quiet}, rate=0.05) == {"a", "b"}
        assert alarms({"a": log(199), "b": 0.0, **quiet}, rate=0.05) == frozenset()
        assert alarms({}, rate=0.05) == frozenset()
