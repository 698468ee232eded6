"""The fast reader of rounds compared with the careful one, in turns on the same lines."""

from collections.abc import Callable, Sequence
from itertools import islice
from statistics import median
from time import process_time
from typing import Any, Final

from benchmarks.data.ordinary_rounds import ONE_VISITOR, ordinary_rounds
from benchmarks.data.shared_round import shared_round
from benchmarks.figures import Figure
from benchmarks.workspace import Workspace
from rounds.feed.fast_reader import read_fast
from rounds.feed.parse_document import parse_line_carefully
from rounds.rules.catalogue import RULE_SETS

_ROUNDS: Final = 300
_TURNS: Final = 31
_CROWD_TURNS: Final = 6


def measure_readers(_place: Workspace) -> list[Figure]:
    """Ordinary rounds of each game, then a round that a hundred thousand bets share."""
    figures = []
    for name in ONE_VISITOR:
        lines = [ordinary.line.encode() for ordinary in islice(ordinary_rounds(name), _ROUNDS)]
        figures += _compare(name, lines, turns=_TURNS)
    return figures + _compare("shared_round", [shared_round()], turns=_CROWD_TURNS)


def _compare(name: str, lines: Sequence[bytes], *, turns: int) -> list[Figure]:
    """Each turn reads all lines by both; the first one fills the memories of both."""
    assert all(read_fast(line, RULE_SETS) is not None for line in lines)  # noqa: S101  or it measures nothing
    spent = [(_spend(read_fast, lines), _spend(parse_line_carefully, lines)) for _ in range(turns)]
    fast, careful = zip(*spent[1:], strict=True)
    ratio = median(slow / quick for quick, slow in spent[1:])
    return [
        Figure(f"readers.{name}.fast_us", median(fast) / len(lines) * 1e6, "CPU µs a round"),
        Figure(f"readers.{name}.careful_us", median(careful) / len(lines) * 1e6, "CPU µs a round"),
        Figure(f"readers.{name}.ratio", ratio, "times the careful reader"),
    ]


def _spend(read: Callable[..., Any], lines: Sequence[bytes]) -> float:
    started = process_time()
    for line in lines:
        read(line, RULE_SETS)
    return process_time() - started
