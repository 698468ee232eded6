"""Speed of the rules on one core with all checks, compared with a peer on the same cards."""

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import median
from time import process_time
from typing import Any, Final, NamedTuple

from benchmarks.data.ordinary_rounds import ONE_VISITOR, Ordinary, ordinary_rounds
from benchmarks.data.shared_round import shared_round
from benchmarks.figures import Figure
from benchmarks.peers.blackjack21_replay import can_replay, replay, script_of
from benchmarks.workspace import Workspace
from rounds.feed import parse_line
from rounds.rules.catalogue import rule_set
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED

_ROUNDS: Final = 9_000
_WARM_UP: Final = 6_000
"""So many of them fill the memories of the rules first, as a day's earlier rounds have."""
_CHUNK: Final = 64
_HITS_SOFT_17: Final = {
    "blackjack": False,
    "mega_fire_blaze": False,
    "quantum": True,
    "zappit": True,
}
_RUNS: Final = 5


class _Spent(NamedTuple):
    """Processor seconds on a chunk of rounds."""

    read: float
    judged: float
    peer: float
    peer_ready: float


def measure_rules(_place: Workspace) -> list[Figure]:
    """Ordinary rounds of each game, then a round that a hundred thousand bets share."""
    figures = [figure for name in ONE_VISITOR for figure in _measure_game(name)]
    return [*figures, *_measure_shared_round()]


def _measure_game(name: str) -> list[Figure]:
    rounds = list(islice(_replayable(name), _ROUNDS))
    _time_chunks(name, rounds[:_WARM_UP])
    spent = _time_chunks(name, rounds[_WARM_UP:])
    read, judged, peer, peer_ready = (
        median(column) / _CHUNK for column in zip(*spent, strict=True)
    )
    figures = [
        Figure(f"rules.{name}.rounds_per_s", 1 / (read + judged), "3-bet rounds a CPU second"),
        Figure(f"rules.{name}.bets_per_s", 3 / (read + judged), "bets a CPU second"),
        Figure(f"rules.{name}.judged_per_s", 1 / judged, "of these rounds, once they are read"),
    ]
    if name in _HITS_SOFT_17:
        figures += [
            Figure(f"peer.{name}.rounds_per_s", 1 / peer, "the same, replayed by blackjack21"),
            Figure(f"rules.{name}.ratio_to_peer", peer / (read + judged), "of blackjack21"),
            Figure(
                f"rules.{name}.ratio_to_ready_peer",
                peer_ready / (read + judged),
                "of blackjack21 with its cards and calls laid ready",
            ),
        ]
    return figures


def _replayable(name: str) -> Iterable[Ordinary]:
    """Ordinary rounds; at the games that the peer knows those that it can replay."""
    hits_soft_17 = _HITS_SOFT_17.get(name)
    for ordinary in ordinary_rounds(name):
        if hits_soft_17 is None or can_replay(json.loads(ordinary.line), hits_soft_17=hits_soft_17):
            yield ordinary


def _time_chunks(name: str, rounds: Sequence[Ordinary]) -> list[_Spent]:
    """Both sides in turn on the same few rounds, each read afresh."""
    whole = range(0, len(rounds) - _CHUNK + 1, _CHUNK)
    return [_time_chunk(name, rounds[first : first + _CHUNK]) for first in whole]


def _time_chunk(name: str, rounds: Sequence[Ordinary]) -> _Spent:
    lines = [ordinary.line.encode() for ordinary in rounds]
    started = process_time()
    dealt = [parse_line(line) for line in lines]
    read = process_time()
    for played, ordinary in zip(dealt, rounds, strict=True):
        _judge(played, ordinary.shoe)
    judged = process_time()
    if name not in _HITS_SOFT_17:
        return _Spent(read - started, judged - read, 0, 0)
    return _Spent(read - started, judged - read, *_time_peer(name, rounds))


def _time_peer(name: str, rounds: Sequence[Ordinary]) -> tuple[float, float]:
    documents = [json.loads(ordinary.line) for ordinary in rounds]
    hits_soft_17 = _HITS_SOFT_17[name]
    started = process_time()
    for document in documents:
        replay(script_of(document), hits_soft_17=hits_soft_17)
    replayed = process_time()
    scripts = [script_of(document) for document in documents]
    ready = process_time()
    for script in scripts:
        replay(script, hits_soft_17=hits_soft_17)
    return replayed - started, process_time() - ready


def _judge(played: Any, shoe: Shoe | None) -> None:
    verdict = rule_set(played.rules).judge(played, shoe)
    if shoe is not None:
        shoe.after(played)
    assert verdict.status == SETTLED, (played.round, verdict.anomalies)  # noqa: S101  a legal feed


def _measure_shared_round() -> list[Figure]:
    """One round with a hundred thousand bets, from its line to its payouts."""
    line = shared_round()
    bets = len(json.loads(line)["bets"])
    seconds = []
    for _ in range(_RUNS):
        started = process_time()
        _judge(parse_line(line), None)
        seconds.append(process_time() - started)
    return [
        Figure("rules.shared_round.bets", bets, "bets"),
        Figure("rules.shared_round.seconds", median(seconds), "CPU seconds, read and judged"),
    ]
