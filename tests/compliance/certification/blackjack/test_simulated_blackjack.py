"""The analysis against simulation: rounds dealt from full shoes and settled."""

import random
from math import sqrt

import pytest

from compliance.certification.returns.blackjack.analysis import analyse, blackjack_of
from compliance.certification.returns.blackjack.plan import Play, plans_of
from compliance.certification.returns.blackjack.variance import moments_of_plans
from rounds.rules.cards import CARDS
from tests.compliance.certification.blackjack.chart_play import by_chart
from tests.compliance.certification.random_rounds import STAKE, Dealer, game_of, settled
from tests.repetitions import repeated
from tests.rounds.rules.dealing import BLACKJACK as LIVE
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT

MOST_DEALT = 60
"""More cards than any round takes."""


class TestRoundsPlayedByTheChart:
    @pytest.mark.parametrize(
        ("rules", "rounds"),
        [
            pytest.param(
                rules, repeated(400_000), marks=[pytest.mark.slow, pytest.mark.timeout(1200)]
            )
            for rules in (LIVE, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT)
        ],
    )
    def test_return_what_the_analysis_says(self, rules: str, rounds: int) -> None:
        """Within three standard errors, seeded (issue 7, item 3)."""
        exact = moments_of_plans(Play.TOTAL, plans_of(blackjack_of(rules), Play.TOTAL))
        chance = random.Random(rounds)
        dealer = Dealer(game_of(rules), by_chart(analyse(rules, Play.TOTAL).strategy))
        # Queens may be multiplier cards at Quantum, where this is the base game.
        shoe = [card.replace("Q", "J") for card in CARDS] * game_of(rules).decks

        nets = [
            settled(rules, dealer.deal(chance.sample(shoe, MOST_DEALT)))[0] / STAKE
            for _ in range(rounds)
        ]

        error = sqrt(exact.variance / rounds)
        assert abs(sum(nets) / rounds - exact.mean) < 3 * error
        hits = exact.hit_frequency
        share = sum(net > 0 for net in nets) / rounds
        assert abs(share - hits) < 3 * sqrt(hits * (1 - hits) / rounds)
        squares = sum((net - exact.mean) ** 2 for net in nets) / rounds
        assert squares == pytest.approx(exact.variance, rel=8 / sqrt(rounds))


class TestTheMeanOfTheSpread:
    @pytest.mark.slow
    @pytest.mark.parametrize("play", Play)
    @pytest.mark.parametrize("rules", [LIVE, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT])
    def test_is_that_of_the_analysis(self, rules: str, play: Play) -> None:
        """Hand by hand at its end, and decision by decision: two sums of the same play."""
        spread = moments_of_plans(play, plans_of(blackjack_of(rules), play))

        assert abs(1 + spread.mean - analyse(rules, play).per_initial) < spread.error < 1e-7
