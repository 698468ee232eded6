"""The naive settlement, timed on a sample of the feeds that Sabot settles."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from django.utils import timezone

from benchmarks.data.graded_rounds import Graded, graded_rounds
from benchmarks.figures import Figure
from benchmarks.peers.naive_app import create_tables
from benchmarks.peers.naive_app.settle import settle_all
from benchmarks.peers.naive_app.store import store_rounds
from benchmarks.processor_time import Spent, spend
from benchmarks.workspace import Workspace

_BIG_SAMPLE: Final = 2_000
_SMALL_SAMPLE: Final = 200


def measure_naive(place: Workspace) -> list[Figure]:
    """A transaction for each bet, and one for each round; of the big round and of small ones."""
    samples = {
        "big": [_first_bets(graded) for graded in _rounds(place.feeds.big(), 1)],
        "small": _rounds(place.feeds.small(rounds=_SMALL_SAMPLE), _SMALL_SAMPLE),
    }
    figures = []
    for name, rounds in samples.items():
        for prefix, by_bet in ((f"naive.{name}", True), (f"naive.{name}.by_round", False)):
            spent = spend_naive(place, rounds, by_bet=by_bet)
            bets = sum(len(graded.grades) for graded in rounds)
            figures += [
                Figure(f"{prefix}.bets_per_s", bets / spent.wall, "bets a second"),
                Figure(f"{prefix}.bets_per_cpu_s", bets / spent.cpu, "bets a CPU second"),
            ]
    return figures


def spend_naive(place: Workspace, rounds: Sequence[Graded], *, by_bet: bool) -> Spent:
    """What it takes to settle these rounds so, in a fresh database where they are stored."""
    with place.fresh_database():
        create_tables()
        stored = store_rounds(rounds)
        return spend(lambda: settle_all(stored, by_bet=by_bet, at=timezone.now()))


def _rounds(feed: Path, count: int) -> list[Graded]:
    with feed.open("rb") as lines:
        return list(islice(graded_rounds(lines), count))


def _first_bets(graded: Graded) -> Graded:
    """The round as if it had no more bets than the sample; each is graded as among all of them."""
    bets, grades = graded.dealt.bets[:_BIG_SAMPLE], graded.grades[:_BIG_SAMPLE]
    return Graded(graded.dealt._replace(bets=bets), grades)
