"""An endless load: feeds of studios, and the ingest processes that read them."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from casino.embedded.process import spawn
from casino.embedded.server_paths import CLONE
from compliance.storage.database_roles.role import DatabaseRole
from rounds.simulation.casino import Order, simulate
from tests.processes import environment_of

_DAY: Final = 86_400_000
_FIRST_DAY: Final = (int(time.time() * 1000) // _DAY - 14) * _DAY
"""Two weeks ago in UTC, in milliseconds since 1970: what is older than a month is held."""
_WITHOUT_END: Final = 10**9
_FAULTS: Final = 0.02
_REFERENCE: Final = re.compile(r'"round":\s*"([\w.:-]+)"')
_LOST_ITS_DATABASE: Final = ("OperationalError", "InterfaceError")


class Studio:
    """The feed of one game in files, each dealt when it is first requested."""

    def __init__(
        self, game: str, *, seed: int, folder: Path, lines: tuple[int, int], crowd: int = 0
    ) -> None:
        """``lines`` is the minimum and maximum of a file; ``crowd`` the bets of a round.

        A crowd plays on other days, so that ids stay unique.
        """
        order = Order(
            games=[game],
            rounds=_WITHOUT_END,
            seed=str(seed),
            start=_FIRST_DAY - 14 * _DAY if crowd else _FIRST_DAY,
            faults=_FAULTS,
            bets_per_round=crowd,
        )
        self._name = f"{game}-crowd" if crowd else game
        self._dealt = (f"{line.text}\n" for line in simulate(order))
        self._sizes = Random(f"{seed} {self._name}")
        self._folder, self._limits = folder, lines
        self.files: list[Path] = []
        self.newest: list[str] = []
        """The references of the rounds of the newest file."""

    def file(self, number: int, *, deals: bool) -> Path | None:
        """The file of this number, from 0; None if it is not dealt yet and may not be."""
        if deals and number == len(self.files):
            path = self._folder / f"{self._name}-{number:04}.ndjson"
            lines = islice(self._dealt, self._sizes.randint(*self._limits))
            dealt = "".join(lines)
            path.write_text(dealt, encoding="utf-8")
            self.newest = _REFERENCE.findall(dealt)
            self.files.append(path)
        return self.files[number] if number < len(self.files) else None

    def lines(self) -> Iterator[bytes]:
        """The lines of all files, in order."""
        for path in self.files:
            yield from path.read_bytes().splitlines()


class Lane:
    """Ingests every file of the studios in order, one process after the other.

    An ingest that dies is run again with the same file, as by an operator.
    """

    def __init__(self, studios: Sequence[Studio], *, log: Path, code: Path = CLONE) -> None:
        """``code`` is the folder of the release that ingests."""
        self._studios, self._log, self._code = studios, log, code
        self._turn = 0
        self._next = [0] * len(studios)
        self._process: subprocess.Popen[bytes] | None = None
        self._read_until = 0
        self._began = 0.0
        self.ingested: list[tuple[Path, float, float]] = []
        """The files of ingests that ended well, with their beginning and the end that was seen."""
        self.runs = 0
        self.died = 0
        """How many ingests did not come to their end."""
        self.surprises: list[str] = []
        """What those said that neither were killed nor had lost their database."""

    @property
    def pid(self) -> int | None:
        """The running ingest."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def go_on(self, *, deals: bool) -> bool:
        """Starts the next ingest if none is running; False if there is no file left."""
        if self.pid is not None:
            return True
        self._note_end()
        for _ in self._studios:
            path = self._studios[self._turn].file(self._next[self._turn], deals=deals)
            if path is not None:
                self._start(path)
                return True
            self._turn = (self._turn + 1) % len(self._studios)
        return False

    def _note_end(self) -> None:
        if self._process is None:
            return
        status, self._process = self._process.returncode, None
        if status == 0:
            path = self._studios[self._turn].files[self._next[self._turn]]
            self.ingested.append((path, self._began, time.monotonic()))
            self._next[self._turn] += 1
            self._turn = (self._turn + 1) % len(self._studios)
            return
        self.died += 1
        output = self._log.read_text(errors="replace")[self._read_until :]
        if status != -signal.SIGKILL and not any(error in output for error in _LOST_ITS_DATABASE):
            self.surprises.append(output)

    def _start(self, path: Path) -> None:
        self.runs += 1
        self._began = time.monotonic()
        self._read_until = len(self._log.read_text(errors="replace")) if self._log.exists() else 0
        self._process = spawn(
            [sys.executable, "manage.py", "ingest", str(path)],
            log=self._log,
            ends_with_us=signal.SIGKILL,
            env=environment_of(DatabaseRole.FEED, os.environ),
            cwd=self._code,
        )

    def end(self) -> None:
        """Kills the running ingest."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
