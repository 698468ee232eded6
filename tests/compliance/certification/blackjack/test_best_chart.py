"""The best chart is optimal: neither one flag nor two flags together gain anything.

From a random chart the search may end at a worse one, so its starting chart matters; this test
shows that it starts well.
"""

from itertools import combinations
from random import Random

import pytest

from compliance.certification.returns.blackjack.charts import best_chart, turns
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.hit_or_stand import Chart
from compliance.certification.returns.blackjack.jit_compiler import Flags
from compliance.certification.returns.blackjack.upcards import Upcard, upcard_of
from tests.compliance.certification.random_rounds import game_of
from tests.repetitions import repeated
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT

ROUNDING = 1e-12


def gain_of(upcard: Upcard, chart: Chart) -> float:
    """The gain of a chart under its upcard."""
    return upcard.opened(upcard.twos(chart), chart)[0].gain


def turn(some: tuple[tuple[Flags, int], ...]) -> None:
    """The chart with these flags inverted."""
    for flags, row in some:
        flags[row] = not flags[row]


class TestTheBestChart:
    @pytest.mark.slow
    @pytest.mark.timeout(1200)
    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT])
    @pytest.mark.parametrize("value", range(1, VALUES + 1))
    def test_gains_nothing_by_two_changes(self, rules: str, value: int) -> None:
        """Issue 7, item 1: optimal total-dependent play."""
        upcard = upcard_of(game_of(rules), value)
        chart = best_chart(upcard)
        best = gain_of(upcard, chart)

        pairs = list(combinations(turns(upcard, chart), 2))

        better = []
        for both in Random(value).sample(pairs, k=repeated(len(pairs))):
            turn(both)
            if gain_of(upcard, chart) > best + ROUNDING:
                better.append(both)
            turn(both)

        assert better == []
