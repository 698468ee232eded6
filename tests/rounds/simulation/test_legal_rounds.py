"""Every simulated round without faults is settled."""

from collections.abc import Iterator
from functools import cache

import pytest

from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import LOSE, PUSH, SETTLED, VOID, WIN, Verdict
from rounds.simulation.casino import Order, simulated_items
from rounds.simulation.games import GAMES
from rounds.simulation.limits import DEMO_LIMITS

START = 1_793_491_200_000  # 2026-11-01T00:00:00Z


@cache
def judged(game: str, *, seed: str) -> list[tuple[Round, Verdict]]:
    """1,500 rounds of a game with their verdicts, at three tables."""
    return [*judge_in_order(Order([game], rounds=1_500, seed=seed, start=START, tables=3))]


def judge_in_order(order: Order) -> Iterator[tuple[Round, Verdict]]:
    """Each round of the order with its verdict, its shoe followed."""
    shoes: dict[str | None, Shoe] = {}
    for item in simulated_items(order):
        payload = item.payload
        if isinstance(payload, ShoeOpening):
            shoes[payload.shoe] = Shoe.opened(payload)
        elif isinstance(payload, Round):
            limits = DEMO_LIMITS[payload.rules]
            yield payload, rule_set(payload.rules).judge(payload, shoes.get(payload.shoe), limits)
            if payload.shoe is not None:
                shoes[payload.shoe] = shoes[payload.shoe].after(payload)


@pytest.mark.parametrize("game", GAMES)
class TestALegalRound:
    """Issue 3: replay of any legal simulated round is settled."""

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", ["1", "2"])
    def test_is_settled(self, game: str, seed: str) -> None:
        """And so by the rules alone: the studio's reports, where there are some, agree."""
        unsettled = [
            (dealt.round, verdict.anomalies)
            for dealt, verdict in judged(game, seed=seed)
            if verdict.status != SETTLED
        ]

        assert unsettled == []

    @pytest.mark.slow
    def test_has_every_outcome(self, game: str) -> None:
        """So the simulation is varied."""
        outcomes = {
            grade.outcome for _, verdict in judged(game, seed="1") for grade in verdict.grades
        }

        assert outcomes == {WIN, PUSH, LOSE, VOID}


class TestAPopularRound:
    """Rounds of two thousand bets."""

    @pytest.mark.parametrize("game", [name for name in GAMES if name != "zappit"])
    def test_is_settled(self, game: str) -> None:
        """Many plays on one box share its cards."""
        order = Order([game], rounds=8, seed="s", start=START, bets_per_round=2_000)

        assert {verdict.status for _, verdict in judge_in_order(order)} == {SETTLED}
