"""Studios: signed feeds as files, as streams and as jobs, with repeats and faulty documents."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import requests

from benchmarks.soak.histories import note_stored
from benchmarks.soak.load.calls import Lane, Setting, Site
from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE
from rounds.signatures.batch_lines import SUFFIX
from rounds.simulation.casino import Order, simulate
from tests.studio_signatures import ROUNDS, Signer

NDJSON: Final = "application/x-ndjson"
_WITHOUT_END: Final = 10**9
_FAULTS: Final = 0.01
_REPEATED: Final = 0.1
_LATE: Final = 0.05
"""The share of deliveries that are repeated, and of files with rounds of long ago."""
_DAY_MS: Final = 86_400_000
_LATE_DAYS: Final = 45
_OK: Final = (200, 201, 202)
_RETRY_SECONDS: Final = 1.0
_REFUSED: Final = 400
_KINDS: Final = ("accepted", "known", "conflict", "refused")


class Studio:
    """Deals some games on demand and signs them; keeps every line that was handed over."""

    def __init__(
        self, games: Sequence[str], signer: Signer, *, seed: int, start: int, tables: int
    ) -> None:
        self.signer: Final = signer
        order = Order(
            games=games,
            rounds=_WITHOUT_END,
            seed=str(seed),
            start=start,
            tables=tables,
            faults=_FAULTS,
        )
        self._lines = (f"{line.text}\n".encode() for line in simulate(order))
        late = order._replace(
            games=games[:1],
            seed=f"{seed}-late",
            start=start - _LATE_DAYS * _DAY_MS,
            faults=0,
            tables=1,
        )
        self._late = (f"{line.text}\n".encode() for line in simulate(late))
        self.lines: list[bytes] = []
        """On time, in their order."""
        self.late: list[bytes] = []
        self.unsigned: list[bytes] = []
        self.clock_seconds = 0
        """How far its clock is ahead, as a fault plays it."""

    def take(self, number: int) -> list[bytes]:
        """The next lines."""
        taken = list(itertools.islice(self._lines, number))
        self.lines += taken
        return taken

    def take_late(self, number: int) -> list[bytes]:
        """The next lines about rounds of long ago."""
        taken = list(itertools.islice(self._late, number))
        self.late += taken
        return taken


class Files(Lane):
    """Ingests signed files by the command, one after the other, some of them twice."""

    def __init__(
        self,
        setting: Setting,
        studio: Studio,
        *,
        folder: Path,
        environment: Mapping[str, str],
        lines: int,
        pause_seconds: float,
    ) -> None:
        super().__init__("files", setting, pause_seconds=pause_seconds)
        self._studio, self._folder, self._lines = studio, folder, lines
        self._environment = environment
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self.delivers_unsigned = False
        """Whether the studio forgets to sign, as a fault plays it."""
        folder.mkdir()

    def step(self) -> None:
        """A file, until its ingest has ended well."""
        is_late = self.chance.random() < _LATE
        lines = self._studio.take_late(5) if is_late else self._studio.take(self._lines)
        path = self._folder / f"{next(self._numbers):05}.ndjson"
        path.write_bytes(b"".join(lines))
        if self.delivers_unsigned and not is_late:
            self._studio.unsigned += lines
        else:
            self._sign(path, lines)
        times = 2 if self.chance.random() < _REPEATED else 1
        for _ in range(times):
            while not self._ingest(path):
                time.sleep(_RETRY_SECONDS)
            self.notes.count("files ingested")
        path.unlink()

    def _sign(self, path: Path, lines: Sequence[bytes]) -> None:
        created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        signed = self._studio.signer.signature_lines(b"".join(lines), created=created)
        path.with_name(path.name + SUFFIX).write_bytes(b"\n".join(signed) + b"\n")

    def _ingest(self, path: Path) -> bool:
        self._process = spawn(
            [sys.executable, "manage.py", "ingest", str(path)],
            log=self._folder / "ingest.log",
            ends_with_us=signal.SIGKILL,
            env={"PATH": os.environ["PATH"], **self._environment},
            cwd=CLONE,
        )
        is_done = self._process.wait() == 0
        self.notes.count("ingests that were run again", int(not is_done))
        return is_done

    def kill(self) -> None:
        """Kills the running ingest, or the next one if none runs, within a minute."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            process = self._process
            if process is not None and process.poll() is None:
                with suppress(ProcessLookupError):
                    process.kill()
                return
            time.sleep(0.05)


class Deliveries(Lane):
    """Delivers a signed feed over the API, and notes what was acknowledged."""

    def __init__(
        self, name: str, setting: Setting, studio: Studio, *, lines: int, pause_seconds: float
    ) -> None:
        super().__init__(name, setting, pause_seconds=pause_seconds)
        self.studio: Final = studio
        self._lines = lines
        self._site = Site(self, with_token=True)
        self.acknowledged: set[str] = set()
        """The studio's ids of the rounds that Sabot has said to have."""

    def step(self) -> None:
        """One delivery; some are sent twice."""
        body = b"".join(self.studio.take(self._lines))
        for _ in range(2 if self.chance.random() < _REPEATED else 1):
            self.deliver(body)

    @abstractmethod
    def deliver(self, body: bytes) -> None:
        """Hands over lines until they are acknowledged."""

    def send(self, body: bytes, *, what: str, **further: str) -> Any:
        """The answer to a signed request, which is repeated until it is one.

        A request that is refused for the time of its signature is signed again, for the other host.
        """
        while True:
            answer = self._attempt(body, what=what, **further)
            self._site.next_host()
            if answer.status_code in _OK:
                return answer
            if not _is_refused_for_its_time(answer):
                raise RuntimeError(f"{what}: {answer.status_code} {answer.text[:500]}")
            self.notes.refuse_signature(time.time())
            time.sleep(_RETRY_SECONDS)

    def _attempt(self, body: bytes, *, what: str, **further: str) -> requests.Response:
        created = int(time.time()) + self.studio.clock_seconds
        headers = self.studio.signer.headers(body, content_type=NDJSON, created=created)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Content-Type": NDJSON, **given, **further}
        return self._site.call("POST", ROUNDS, what=what, data=body, headers=sent, is_kept=True)


class Streams(Deliveries):
    """Streams, of which each line is answered."""

    def deliver(self, body: bytes) -> None:
        """Sends the stream until each line has its result."""
        began = time.time()
        while True:
            results = _results_of(self.send(body, what="api POST rounds, a stream"))
            if len(results) == body.count(b"\n"):
                break
            self.notes.count("streams that broke off and were sent again")
            time.sleep(_RETRY_SECONDS)
        stored = {
            result["round"]
            for result in results
            if result["verdict"] in _KINDS[:2] and result.get("round")
        }
        for result in results:
            self.notes.count(f"lines {result['verdict']}")
        self.acknowledged |= stored
        note_stored(self.notes.history, stored, began=began)
        self.notes.count("streams delivered")


class Jobs(Deliveries):
    """Jobs, which the worker for uploaded files does."""

    def deliver(self, body: bytes) -> None:
        """Begins a job; the answer promises that its rounds are taken in."""
        self.send(body, what="api POST rounds, a job", Prefer="respond-async")
        self.notes.count("jobs begun")


def _is_refused_for_its_time(answer: requests.Response) -> bool:
    return answer.status_code == _REFUSED and "created=" in answer.text


def _results_of(answer: Any) -> list[dict[str, Any]]:
    """The results of a stream, as far as they came."""
    results: list[dict[str, Any]] = []
    for line in answer.content.splitlines():
        with suppress(ValueError):
            result = json.loads(line)
            if result.get("verdict") in _KINDS:
                results.append(result)
    return results
