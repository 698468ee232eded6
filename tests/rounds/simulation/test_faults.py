"""Each injected fault is found, without false findings."""

from collections import Counter
from functools import cache

import pytest

from rounds.feed import FeedError, parse_line
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import ShoeOpening
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import HELD, SETTLED
from rounds.simulation.casino import Order, simulate
from rounds.simulation.faults.documents import BREAKS, REPEATS
from rounds.simulation.faults.fault import Fault
from rounds.simulation.faults.inject import REJECTED, spoils_of
from rounds.simulation.games import GAMES
from rounds.simulation.limits import DEMO_LIMITS

START = 1_793_491_200_000  # 2026-11-01T00:00:00Z
LineResult = tuple[str, tuple[str, ...]]


@cache
def results_with_faults(game: str) -> list[tuple[LineResult, Fault | None]]:
    """The result of each line with its true fault."""
    order = Order(games=[game], rounds=800, seed="wrong", start=START, tables=2, faults=0.4)
    shoes: dict[str | None, Shoe] = {}
    known: set[str] = set()
    lines: list[tuple[LineResult, Fault | None]] = []
    for line in simulate(order):
        try:
            output = parse_line(line.text.encode())
        except FeedError:
            lines.append(((REJECTED, ()), line.fault))
            continue
        if isinstance(output, ShoeOpening):
            shoes[output.shoe] = Shoe.opened(output)
            continue
        if output.round in known:  # contract, detail 6
            lines.append(((REJECTED, ()), line.fault))
            continue
        known.add(output.round)
        limits = DEMO_LIMITS[output.rules]
        verdict = rule_set(output.rules).judge(output, shoes.get(output.shoe), limits)
        if output.shoe is not None:
            shoes[output.shoe] = shoes[output.shoe].after(output)
        lines.append(((verdict.status, verdict.anomalies), line.fault))
    return lines


def expected(fault: Fault | None) -> LineResult:
    """The result of a fault by the feed contract."""
    if fault is None:
        return SETTLED, ()
    return fault.status, (fault.name,) if fault.status == HELD else ()


@pytest.mark.parametrize("game", GAMES)
class TestAFault:
    """Four rounds of ten have one, at two tables per game."""

    @pytest.mark.slow
    def test_is_the_only_anomaly_of_its_line(self, game: str) -> None:
        """Later rounds of the shoe are not affected."""
        wrong = [
            (anomalies, fault)
            for anomalies, fault in results_with_faults(game)
            if anomalies != expected(fault)
        ]

        assert wrong == []

    @pytest.mark.slow
    def test_of_every_kind_occurs(self, game: str) -> None:
        """Every anomaly that this game can have, and every kind of broken document."""
        names = Counter(fault.name for _, fault in results_with_faults(game) if fault)

        possible = {*spoils_of(GAMES[game].game.rule_set), *BREAKS, *REPEATS}

        assert set(names) == possible
