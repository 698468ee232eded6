"""What is measured all the time while the load is played."""

import time
from threading import Event, Thread
from typing import Any, Final, NamedTuple

import psycopg

from benchmarks.soak.installation import Installation
from benchmarks.soak.programs import memory_kb
from tests.crash.supervised_casino import children_of

_EVERY_SECONDS: Final = 1.0
_MEMORY_EVERY: Final = 10
"""In samples: reading it takes time."""
_CALM_AGE_SECONDS: Final = 15
_CALM_UNSIGNED_SECONDS: Final = 30
_ACTIVITY_EVERY: Final = 15
"""In samples in a row that are not well."""
_ACTIVITY: Final = """
    SELECT pid, usename, backend_type, state, wait_event_type || ' ' || wait_event,
           now() - xact_start, now() - query_start, pg_blocking_pids(pid), left(query, 400)
      FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND (state <> 'idle' OR state IS NULL)
     ORDER BY xact_start
"""
_STATE: Final = """
    SELECT (SELECT coalesce(sum(rounds), 0)::bigint FROM payouts_dailyrounds),
           (SELECT coalesce(extract(epoch FROM now() - min(round.received_at)), 0)::float
              FROM rounds_queuedround AS queued JOIN rounds_round AS round
                ON round.id = queued.round_id),
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
           (SELECT count(*) FROM trail_pendingbatch)
"""


class Sample(NamedTuple):
    """The state at one time."""

    at: float
    """Seconds since 1970."""
    settled: int | None
    """Rounds; None, as age and connections, while the primary does not answer."""
    age: float | None
    """Of the oldest round that waits, in seconds."""
    connections: int | None
    is_well: bool
    """Whether every process does its work, nothing waits long, and the log is signed."""


class Memory(NamedTuple):
    """The memory of a process with its children at one time."""

    at: float
    name: str
    pids: tuple[int, ...]
    """The process and its children, or what a server is: while they stay the same, one life."""
    kb: int


class Sampler(Thread):
    """Samples once a second."""

    def __init__(self, place: Installation) -> None:
        super().__init__(name="sampler", daemon=True)
        self._place = place
        self._connection: psycopg.Connection[Any] | None = None
        self._unsigned_since: float | None = None
        self._is_over = Event()
        self.samples: list[Sample] = []
        self.memory: list[Memory] = []

    def run(self) -> None:
        """Until it is ended."""
        number = unwell = 0
        while not self._is_over.wait(_EVERY_SECONDS):
            self.samples.append(self._sample())
            unwell = 0 if self.samples[-1].is_well else unwell + 1
            if unwell and unwell % _ACTIVITY_EVERY == 0:
                self._write_activity()
            if number % _MEMORY_EVERY == 0:
                self._measure_memory()
            number += 1
        if self._connection is not None:
            self._connection.close()

    def end(self) -> None:
        """Ends it."""
        self._is_over.set()
        self.join()

    def _sample(self) -> Sample:
        at, state = time.time(), self._state()
        if state is None:
            return Sample(at, None, None, None, is_well=False)
        settled, age, connections, unsigned = state
        if not unsigned:
            self._unsigned_since = None
        elif self._unsigned_since is None:
            self._unsigned_since = at
        is_signed = at - (self._unsigned_since or at) < _CALM_UNSIGNED_SECONDS
        is_well = age < _CALM_AGE_SECONDS and is_signed and self._place.is_ready()
        return Sample(at, settled, age, connections, is_well)

    def _state(self) -> tuple[int, float, int, int] | None:
        try:
            if self._connection is None or self._connection.closed:
                url = self._place.primary.url()
                self._connection = psycopg.connect(url, autocommit=True, connect_timeout=5)
            [state] = self._connection.execute(_STATE).fetchall()
        except psycopg.Error:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            return None
        settled, age, connections, unsigned = state
        return settled, age, connections, unsigned

    def _write_activity(self) -> None:
        """What the primary does while something waits, for whoever asks afterwards why."""
        try:
            rows = self._connection.execute(_ACTIVITY).fetchall() if self._connection else []
        except psycopg.Error as error:
            rows = [(str(error),)]
        with (self._place.folder / "log" / "activity.log").open("a") as file:
            file.write(f"\n{time.strftime('%H:%M:%S')}, {len(rows)} sessions\n")
            file.writelines(f"{' | '.join(map(str, row))}\n" for row in rows)

    def _measure_memory(self) -> None:
        for program in self._place.programs.values():
            if pid := program.pid:
                pids = (pid, *children_of(pid))
                self.memory.append(Memory(time.time(), program.name, pids, memory_kb(pid)))
        for server in self._place.servers:
            if pid := server.program.pid:
                # Its children come and go with connections; a replica that is promoted gets them.
                life = pid, int(server is self._place.primary)
                self.memory.append(Memory(time.time(), server.name, life, memory_kb(pid)))
