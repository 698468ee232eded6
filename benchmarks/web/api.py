"""The API over HTTP against real web processes.

`api.ingest`: the same feed by `manage.py ingest` and as a stream to `POST /api/v1/rounds`, in
turns, each into a fresh database. `api.round_get`: rounds read at a fixed rate (open loop) from a
large database. Sizes: `SABOT_BENCH_STREAM_BETS` and `SABOT_BENCH_STORED_BETS` (targets: 1,000,000
and 5,000,000).
"""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from queue import SimpleQueue
from statistics import median, quantiles
from typing import Final

from django.utils import timezone

from benchmarks.data.stored_months import Stored
from benchmarks.figures import Figure
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.web.slow_clients import KINDS, slow_clients
from benchmarks.web.web_process import web_process
from benchmarks.workspace import BENCHMARK, Workspace
from casino.embedded.server_paths import CLONE
from casino.integrations.issue_key import NewKey, issue_key
from casino.integrations.scopes import Scope
from rounds.models import Bet, Round

_STREAM_BETS: Final = int(os.environ.get("SABOT_BENCH_STREAM_BETS", "100000"))
_STORED_BETS: Final = int(os.environ.get("SABOT_BENCH_STORED_BETS", "500000"))
_BETS_A_ROUND: Final = 10
_TURNS: Final = 3
_STORED_ROUNDS: Final = 10_000
_RATE: Final = 100
"""Calls a second."""
_SECONDS: Final = 20
_WARM_UP_SECONDS: Final = 5
_SENDERS: Final = 32
_SLOW_CLIENTS: Final = 200
_PROCESSES: Final = 4
_THREADS: Final = 2
"""As docs/operations.md has it for two cores."""
_PIECE: Final = 1 << 16
_CALLS_A_MINUTE: Final = 100_000
_ROUNDS_REQUESTED: Final = 200_000
_INDEX: Final = ("/api/v1/",)
_OK: Final = 200


def measure_ingest(place: Workspace) -> list[Figure]:
    """What comes in, as a file and as a stream."""
    return list(_measure_ingest(place))


def measure_reading(place: Workspace) -> list[Figure]:
    """Requests at a fixed rate."""
    return list(_measure_reading(place))


def _measure_ingest(place: Workspace) -> Iterator[Figure]:
    feed = place.feeds.small(rounds=_STREAM_BETS // _BETS_A_ROUND)
    from_file, by_stream = [], []
    bets = 0
    for _ in range(_TURNS):
        with place.fresh_database():
            from_file.append(_seconds_of_command(feed))
            bets = Bet.objects.count()
        with place.fresh_database(), _program(place.folder, processes=1) as program:
            by_stream.append(program.deliver(feed))
            if Bet.objects.count() != bets:
                raise RuntimeError(f"the stream brought {Bet.objects.count()} bets, not {bets}")
    yield Figure("api.ingest.bets", bets, "bets delivered")
    yield Figure("api.ingest.file_bets_per_s", bets / median(from_file), "by manage.py ingest")
    yield Figure("api.ingest.stream_bets_per_s", bets / median(by_stream), "by POST /rounds")
    yield Figure(
        "api.ingest.ratio_file",
        median(from_file) / median(by_stream),
        "times the speed of the file, to the last answer",
    )


def _seconds_of_command(feed: Path) -> float:
    """The whole command, as an installation runs it."""
    started = time.perf_counter()
    command = [sys.executable, "manage.py", "ingest", str(feed)]
    subprocess.run(
        command, cwd=CLONE, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - started


def _measure_reading(place: Workspace) -> Iterator[Figure]:
    with place.fresh_database():
        ingest_file(place.feeds.mix(rounds=_STORED_ROUNDS))
        sweep_with(processes=2)
        stored = Stored()
        stored.fill(bets=_STORED_BETS)
        ids = Round.objects.values_list("id", flat=True)[:_ROUNDS_REQUESTED]
        addresses = [f"/api/v1/rounds/{round_id}" for round_id in ids]
        with _program(place.folder, processes=_PROCESSES) as program:
            program.ask_at_rate(_INDEX, seconds=_WARM_UP_SECONDS)
            limit = program.ask_at_rate(_INDEX, seconds=_SECONDS)
            program.ask_at_rate(addresses, seconds=_WARM_UP_SECONDS)
            durations = program.ask_at_rate(addresses, seconds=_SECONDS)
            with program.besides_slow_clients():
                program.ask_at_rate(addresses, seconds=_WARM_UP_SECONDS)
                besides = program.ask_at_rate(addresses, seconds=_SECONDS)
    yield Figure("api.round_get.bets", stored.bets, "bets stored")
    yield Figure("api.round_get.calls_per_s", _RATE, "calls a second, all of them answered")
    yield Figure("api.round_get.p50_ms", median(durations) * 1000, "ms from when the call was due")
    yield Figure(
        "api.round_get.p95_ms", quantiles(durations, n=20)[-1] * 1000, "the same, of 19 in 20"
    )
    yield Figure(
        "api.round_get.slow_clients.p95_ms",
        quantiles(besides, n=20)[-1] * 1000,
        f"the same besides {_SLOW_CLIENTS} clients that send or read slowly",
    )
    yield Figure(
        "api.round_get.limit.p95_ms",
        quantiles(limit, n=20)[-1] * 1000,
        "the same of the index of the API, which reads nothing",
    )


class _Program:
    """Calls the API with a key that may do everything."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._headers = port, {"Authorization": f"Bearer {token}"}

    def deliver(self, feed: Path) -> float:
        """Seconds until a feed is taken and each line answered."""
        started = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", self._port, timeout=3600)
        headers = {**self._headers, "Content-Type": "application/x-ndjson"}
        with feed.open("rb") as body:
            headers["Content-Length"] = str(feed.stat().st_size)
            connection.request("POST", "/api/v1/rounds", body, headers)
            answer = _answered(connection)
            while answer.read(_PIECE):
                pass
        connection.close()
        return time.perf_counter() - started

    def ask_at_rate(self, addresses: Sequence[str], *, seconds: int) -> list[float]:
        """Seconds of each call, from when it was due: one that waits for another is late."""
        chance = random.Random(8)  # noqa: S311  the same rounds in every run
        due: SimpleQueue[tuple[float, str] | None] = SimpleQueue()
        durations: list[float] = []
        begin = time.perf_counter() + 1
        for number in range(seconds * _RATE):
            due.put((begin + number / _RATE, chance.choice(addresses)))
        for _ in range(_SENDERS):
            due.put(None)
        senders = [
            threading.Thread(target=self._send, args=(due, durations)) for _ in range(_SENDERS)
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        if len(durations) != seconds * _RATE:
            raise RuntimeError(f"{len(durations)} calls of {seconds * _RATE} were answered")
        return durations

    @contextmanager
    def besides_slow_clients(self) -> Iterator[None]:
        """Slow clients of every kind until the block ends, 200 together."""
        with ExitStack() as opened:
            for kind in KINDS.values():
                number = _SLOW_CLIENTS // len(KINDS)
                address = f"http://127.0.0.1:{self._port}"
                opened.enter_context(slow_clients(address, kind, number))
            yield

    def _send(self, due: "SimpleQueue[tuple[float, str] | None]", durations: list[float]) -> None:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        while (request := due.get()) is not None:
            at, address = request
            time.sleep(max(0.0, at - time.perf_counter()))
            connection.request("GET", address, headers=self._headers)
            _answered(connection).read()
            durations.append(time.perf_counter() - at)
        connection.close()


def _answered(connection: HTTPConnection) -> HTTPResponse:
    answer = connection.getresponse()
    if answer.status != _OK:
        raise RuntimeError(f"answered {answer.status}: {answer.read(2000)!r}")
    return answer


@contextmanager
def _program(folder: Path, *, processes: int) -> Iterator[_Program]:
    """A program with a key, and the web processes that it calls."""
    requested = NewKey(
        kind="studio",
        owner="benchmark",
        scopes=[Scope.ROUNDS_READ, Scope.ROUNDS_WRITE],
        calls_per_minute=_CALLS_A_MINUTE,
    )
    token = issue_key(new=requested, at=timezone.now(), actor=BENCHMARK).token
    with web_process(folder, processes=processes, threads=_THREADS) as port:
        yield _Program(port, token)
