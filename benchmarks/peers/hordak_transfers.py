"""django-hordak, a double-entry library for Django, doing the transfers that Sabot does."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.data.graded_rounds import (
    CUSTOMER,
    Graded,
    Movement,
    graded_rounds,
    paid,
    stakes_settled,
    stakes_taken,
)
from benchmarks.figures import Figure
from benchmarks.processor_time import Spent
from benchmarks.workspace import Workspace
from casino.embedded.server_paths import CLONE

_SAMPLES: Final = {"objects": 100, "bulk": 2_000, "bulk_by_round": 2_000}
"""How many ten-bet rounds are posted each way."""

_Transfer = tuple[str, str, int]


def measure_hordak(place: Workspace) -> list[Figure]:
    """Its object API, and two bulk ways, of which the faster is the one to compare with."""
    figures = []
    for way, sample in _SAMPLES.items():
        with place.feeds.small(rounds=sample).open("rb") as lines:
            rounds = list(islice(graded_rounds(lines), sample))
        transfers = [list(transfers_of(graded)) for graded in rounds]
        spent = spend_hordak(place, transfers, way=way)
        bets = sum(len(graded.grades) for graded in rounds)
        count = sum(map(len, transfers))
        figures += [
            Figure(f"hordak.{way}.bets_per_s", bets / spent.wall, "bets a second"),
            Figure(f"hordak.{way}.bets_per_cpu_s", bets / spent.cpu, "bets a CPU second"),
            Figure(f"hordak.{way}.transfers_per_s", count / spent.wall, "transfers a second"),
        ]
    return figures


def spend_hordak(place: Workspace, transfers: Sequence[Sequence[_Transfer]], *, way: str) -> Spent:
    """What it takes to post these rounds' transfers, in an empty database and another process."""
    file = place.folder / "transfers.ndjson"
    file.write_text("".join(f"{json.dumps(transfer)}\n" for transfer in transfers))
    with place.empty_database() as name:
        return _post(file, way, url=place.url_of(name))


def transfers_of(graded: Graded) -> Iterator[_Transfer]:
    """Debited and credited account and cents of all transfers that a round brings."""
    for movement in (*stakes_taken(graded), *stakes_settled(graded)):
        yield _transfer(movement, None)
    for bet, grade in zip(graded.dealt.bets, graded.grades, strict=True):
        for movement in paid(grade):
            yield _transfer(movement, bet.player)


def _transfer(movement: Movement, player: str | None) -> _Transfer:
    def name(kind: str) -> str:
        return (
            f"{kind}/{movement.asset}/{player}" if kind == CUSTOMER else f"{kind}/{movement.asset}"
        )

    return name(movement.debit), name(movement.credit), movement.cents


def _post(file: Path, way: str, *, url: str) -> Spent:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peers.hordak_peer", file, way],
        cwd=CLONE,
        env={**os.environ, "DATABASE_URL": url},
        stdout=subprocess.PIPE,
        check=True,
    )
    return Spent(*json.loads(done.stdout))
