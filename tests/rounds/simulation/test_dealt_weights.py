"""The simulator deals multiplier cards and bonus grids by the weights of the demo.

Seeded, the same every time; the bounds follow from the weights.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

import pytest

from compliance.certification.returns.bonus_grid import multiplier_chances
from compliance.certification.returns.declared_returns import declared_return
from compliance.certification.returns.weights_document import read_weights
from rounds.rules.blackjack.games.mega_fire_blaze import FIRE_BLAZE
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from rounds.rules.verdict import VOID
from rounds.simulation.blackjack_rounds.bonus_grid import play_bonus
from rounds.simulation.blackjack_rounds.multiplier_cards import draw_multipliers
from rounds.simulation.casino import Order, simulated_items
from rounds.simulation.chance import pick_weighted
from rounds.simulation.weights import card_weights, grid_weights, weights_documents
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM

START: Final = 1_793_491_200_000  # 2026-11-01T00:00:00Z
DRAWS: Final = 30_000
BONUSES: Final = 1_500
ROUNDS: Final = 5_000
ERRORS: Final = 4
"""Standard errors: one figure in 16,000 lies farther off by chance."""
MISTAKES_COST: Final = 0.05
"""The most that leaving basic strategy as often as the simulated customers do may cost."""


@cache
def dealt(game: str) -> tuple[Round, ...]:
    """Rounds of a game without faults."""
    order = Order([game], rounds=ROUNDS, seed="weights", start=START)
    item = [dealt.payload for dealt in simulated_items(order)]
    return tuple(payload for payload in item if isinstance(payload, Round))


def assert_follows(weights: Mapping[str, int], counts: Counter[str]) -> None:
    """Asserts the frequencies of the values by their weights."""
    whole, draws = sum(weights.values()), counts.total()
    assert set(counts) <= set(weights)
    for value, weight in weights.items():
        share = weight / whole
        error = sqrt(draws * share * (1 - share))
        assert abs(counts[value] - draws * share) <= ERRORS * error, value


class TestAWeightedPick:
    def test_never_picks_a_value_of_weight_zero(self) -> None:
        """Other values are picked in proportion."""
        weights = {"never": 0, "seldom": 1, "often": 9}
        rng = Random(1)

        picked = Counter(pick_weighted(rng, weights) for _ in range(DRAWS))

        assert_follows(weights, picked)
        assert picked["never"] == 0

    def test_raises_value_error_without_a_weight(self) -> None:
        """The sum is zero."""
        with pytest.raises(ValueError, match="no weight"):
            pick_weighted(Random(1), {"a": 0})


class TestMultiplierCards:
    def test_follow_the_weights_of_numbers_and_values(self) -> None:
        """[QB] Carte moltiplicatrici, by the weights."""
        weights, rng = card_weights(QUANTUM), Random(2)

        drawn = [draw_multipliers(rng, weights) for _ in range(DRAWS)]

        numbers = Counter(str(len(cards)) for cards in drawn)
        assert_follows(
            {str(many): card_weights.weight for many, card_weights in weights.items()}, numbers
        )
        for many, each in weights.items():
            values = Counter(value for cards in drawn if len(cards) == many for _, value in cards)
            assert_follows(each.values, values)

    def test_are_all_equally_likely(self) -> None:
        """Each of the 52 cards."""
        rng = Random(3)

        cards = Counter(
            card for _ in range(DRAWS) for card, _ in draw_multipliers(rng, card_weights(QUANTUM))
        )

        assert len(cards) == 52
        assert_follows(dict.fromkeys(cards, 1), cards)

    @pytest.mark.slow
    def test_of_dealt_rounds_follow_the_weights(self) -> None:
        """In whole rounds of the feed."""
        weights = card_weights(QUANTUM)
        rounds = [round_.multipliers or () for round_ in dealt("quantum")]

        for many, each in weights.items():
            values = Counter(value for cards in rounds if len(cards) == many for _, value in cards)
            assert_follows(each.values, values)


@pytest.mark.parametrize("name", FIRE_BLAZE.levels)
class TestABonusGrid:
    @pytest.mark.slow
    def test_pays_the_average_of_its_weights(self, name: str) -> None:
        """The simulation against the Markov chain of the certificate."""
        level = FIRE_BLAZE.levels[name]
        certified = read_weights(weights_documents()[MEGA_FIRE_BLAZE]).grids
        assert certified is not None
        chances = multiplier_chances(level, certified[name])
        mean = sum(total * chance for total, chance in chances.items())
        variance = sum((total - mean) ** 2 * chance for total, chance in chances.items())
        rng, weights = Random(4), grid_weights(MEGA_FIRE_BLAZE)[name]

        paid = [
            int(play_bonus(rng, name=name, level=level, weights=weights).multiplier)
            for _ in range(BONUSES)
        ]

        assert abs(fmean(paid) - mean) < ERRORS * sqrt(variance / BONUSES)
        assert set(paid) <= set(chances)


def returned(game: str, kind: str) -> list[float]:
    """The returns of bets of a kind per unit staked, without chips."""
    shares = []
    for round_ in dealt(game):
        grades = rule_set(round_.rules).judge(round_, None).grades
        bets = [
            (bet, grade)
            for bet, grade in zip(round_.bets, grades, strict=True)
            if bet.kind == kind and not bet.golden and grade.outcome != VOID
        ]
        staked = sum(bet.stake_cents for bet, _ in bets)
        won = sum(grade.payout_cents - bet.stake_cents - bet.raised_cents for bet, grade in bets)
        shares += [1 + won / staked] if staked else []
    return shares


class TestTheReturnOfSimulatedRounds:
    @pytest.mark.slow
    def test_of_the_bonus_bet_is_the_declared_one(self) -> None:
        """It depends on no decision: 97.47 %."""
        declared = declared_return(MEGA_FIRE_BLAZE, "mega_fire_blaze")
        assert declared is not None

        share = returned("mega-fire-blaze", "mega_fire_blaze")

        assert abs(fmean(share) - float(declared.share)) < ERRORS * stdev(share) / sqrt(len(share))

    @pytest.mark.slow
    def test_of_the_quantum_main_bet_is_the_declared_one_less_mistakes(self) -> None:
        """Customers make mistakes, which cost some per cent and never gain."""
        declared = declared_return(QUANTUM, "main")
        assert declared is not None

        share = returned("quantum", "main")

        error = stdev(share) / sqrt(len(share))
        assert fmean(share) < float(declared.share) + 2 * error
        assert fmean(share) > float(declared.share) - MISTAKES_COST - 2 * error
