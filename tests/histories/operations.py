"""Operations as their callers saw them.

Each thing that is written has versions, from 0; what was committed in the end says which there are.
"""

from collections.abc import Mapping
from threading import Lock
from typing import Final, NamedTuple

Seen = Mapping[str, tuple[int, str]]
"""The version and content of each thing that was read; version -1 where there was none."""
ABSENT: Final = (-1, "")


class Version(NamedTuple):
    """One committed version of a thing."""

    content: str
    era: int = 0
    """The day on which it is booked: reports of an earlier day never show it."""


Committed = Mapping[str, tuple[Version, ...]]


class Operation(NamedTuple):
    """A call that was answered; what nobody answered says nothing."""

    name: str
    """For the report: what was called, by whom."""
    began: float
    """Seconds of one clock for all operations of a history."""
    ended: float
    wrote: Mapping[str, int] = {}
    """The versions that the answer promises to be stored."""
    saw: Seen = {}
    is_current: bool = True
    """Whether the answer shows everything that was answered before the call began.

    A replica's need not, but it must show a state that there was.
    """
    era: int | None = None
    """The last era that a report covers; None for all."""
    key: str = ""
    """The idempotency key of the call."""
    made: str = ""
    """The id that the answer to the key names."""


class History:
    """The operations of several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._operations: Final[list[Operation]] = []

    def add(self, operation: Operation) -> None:
        """Keeps an operation."""
        with self._lock:
            self._operations.append(operation)

    @property
    def operations(self) -> list[Operation]:
        """All of them so far."""
        with self._lock:
            return list(self._operations)
