"""A reader that notes what it sees while processes are killed."""

import time
from collections.abc import Callable, Sequence
from random import Random
from threading import Event, Thread
from typing import Any, Final

import psycopg
from psycopg import IsolationLevel

from tests.histories.operations import History, Operation
from tests.histories.snapshots import Unbalanced, read_rounds

OBSERVER: Final = "observer"
"""The name of its sessions, by which the storm knows that no work is done there."""
_ROUNDS: Final = 20
_PAUSE_SECONDS: Final = 0.05


class Observer(Thread):
    """Reads some of the rounds that were dealt last, again and again, each time in one snapshot."""

    def __init__(
        self,
        url: str,
        name: str,
        dealt: Callable[[], Sequence[str]],
        history: History,
        *,
        seed: int,
    ) -> None:
        """``dealt`` returns the references of rounds that may be stored by now."""
        super().__init__(name=name, daemon=True)
        self._url, self._dealt, self._history = url, dealt, history
        self._chance = Random(f"{seed} {name}")
        self._is_over = Event()
        self.surprises: list[str] = []

    def run(self) -> None:
        """Reads until it is ended; a read that PostgreSQL's end cuts says nothing."""
        while not self._is_over.wait(_PAUSE_SECONDS):
            try:
                with _connected(self._url) as connection:
                    self._read_with(connection)
            except psycopg.OperationalError:
                continue
            except Unbalanced as error:
                self.surprises.append(str(error))

    def end(self) -> None:
        """Ends, after the read that goes on."""
        self._is_over.set()
        self.join()

    def _read_with(self, connection: psycopg.Connection[Any]) -> None:
        while not self._is_over.wait(_PAUSE_SECONDS):
            known = self._dealt()
            some = self._chance.sample(known, min(_ROUNDS, len(known)))
            began = time.monotonic()
            saw = read_rounds(connection, some)
            self._history.add(Operation(self.name, began, time.monotonic(), saw=saw))


def _connected(url: str) -> psycopg.Connection[Any]:
    connection = psycopg.connect(url, autocommit=True, connect_timeout=5, application_name=OBSERVER)
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    return connection
