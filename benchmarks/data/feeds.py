"""Feeds for the benchmarks; deterministic within a day, written once per run."""

import heapq
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.data.ten_bet_rounds import TABLES, ten_bet_rounds
from rounds.feed import document_of, document_of_shoe
from rounds.rules.facts import Round
from rounds.simulation.casino import Order, simulate
from rounds.simulation.faults.documents import write_line
from rounds.simulation.games import GAMES

CROWD: Final = 100_000
MIX_TABLES: Final = 4
"""How many tables of each game the mix has."""
_DAY_MS: Final = 86_400_000
START: Final = (int(time.time() * 1000) // _DAY_MS - 14) * _DAY_MS
"""When the tables open, in milliseconds since 1970: two weeks ago, as nothing older is taken."""
_SEED: Final = "1"


class Feeds:
    """NDJSON files in a folder of the run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def big(self, *, rounds: int = 1) -> Path:
        """So many rounds, one after the other at one table, that 100,000 bets share each."""
        order = Order(
            games=["mega-fire-blaze"],
            rounds=rounds,
            seed=_SEED,
            start=START,
            bets_per_round=CROWD,
        )
        return self._written(f"big-{rounds}", lambda: (line.text for line in simulate(order)))

    def small(self, *, rounds: int) -> Path:
        """So many rounds of ten bets (a few have eleven to fifteen), of the four live games."""
        return self._written(f"small-{rounds}", lambda: _small(rounds))

    def mix(
        self, *, rounds: int, seed: str = _SEED, start: int = START, faults: float = 0.0
    ) -> Path:
        """So many rounds of all five games, as their visitors stake: ten bets a round on average.

        Another seed deals other rounds; they must also start elsewhere in time, because a studio's
        id of a round is its table and the second of its opening. ``faults`` is the share of rounds
        that go wrong.
        """
        order = Order(
            games=[*GAMES],
            rounds=rounds,
            seed=seed,
            start=start,
            tables=MIX_TABLES,
            faults=faults,
        )
        name = f"mix-{rounds}-{seed}-{start}-{faults}"
        return self._written(name, lambda: (line.text for line in simulate(order)))

    def _written(self, name: str, lines: Callable[[], Iterable[str]]) -> Path:
        path = self._folder / f"{name}.ndjson"
        if not path.exists():
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines())
        return path


def _small(rounds: int) -> Iterator[str]:
    """The ten-bet rounds of all tables in the order of time, until there are enough."""
    streams = [ten_bet_rounds(table, seed=_SEED, start=START) for table in TABLES]
    for handed_over in heapq.merge(*streams, key=lambda handed_over: handed_over.at):
        event = handed_over.payload
        if isinstance(event, Round):
            yield write_line(document_of(event))
            rounds -= 1
        elif not isinstance(event, str):
            yield write_line(document_of_shoe(event))
        if not rounds:
            return
