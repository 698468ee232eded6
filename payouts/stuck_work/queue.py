"""All exceptions in one list, oldest first, with keyset pagination."""

import re
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Final, NamedTuple

from payouts.stuck_work.kinds import KeysetSlice, WorkQuery, stuck_rows
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.steps import latest_steps
from payouts.stuck_work.work import StuckWork, work_of

SIZE: Final = 50
_RANKS: Final = {kind: rank for rank, kind in enumerate(WorkKind)}
_PLACES: Final = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18}){3}")


class Position(NamedTuple):
    """A position in the list: the place reached in each kind."""

    round: int = 0
    conflict: int = 0
    document: int = 0
    task: int = 0

    def __str__(self) -> str:
        return ".".join(map(str, self))

    def of(self, kind: WorkKind) -> int:
        """The place reached in a kind."""
        place: int = getattr(self, kind.value)
        return place

    def behind(self, shown: list[StuckWork]) -> "Position":
        """The position after these exceptions."""
        last = {work.id.kind.value: work.place for work in shown}
        return self._replace(**last)

    def before(self, shown: list[StuckWork]) -> "Position":
        """The position before these exceptions."""
        first = {work.id.kind.value: work.place - 1 for work in reversed(shown)}
        return self._replace(**first)


class StuckPage(NamedTuple):
    """A page of exceptions, oldest first, with the adjacent positions (None at an end)."""

    works: list[StuckWork]
    earlier: Position | None
    later: Position | None


def position_of(text: str | None) -> Position | None:
    """Parses a position from a URL; None if it is invalid."""
    if not text or not _PLACES.fullmatch(text):
        return None
    return Position(*map(int, text.split(".")))


def stuck_page(
    query: WorkQuery,
    *,
    after: Position | None = None,
    before: Position | None = None,
    size: int = SIZE,
) -> StuckPage:
    """The page after or before a position; the first page without one.

    Each kind is read in the order of arrival and the kinds are merged by age, so that no work is
    repeated or skipped while the list changes.
    """
    if before is not None:
        works = _works(query, before, size=size + 1, backwards=True)
        if shown := works[:size][::-1]:
            start = before.before(shown) if len(works) > size else None
            return StuckPage(_with_steps(shown), start, before)
    start = after or Position()
    works = _works(query, start, size=size + 1)
    shown = works[:size]
    end = start.behind(shown) if len(works) > size else None
    return StuckPage(_with_steps(shown), after, end)


def oldest_stuck(query: WorkQuery, *, most: int) -> list[datetime]:
    """The times since which the oldest exceptions last, at most ``most``."""
    return [work.since for work in _works(query, Position(), size=most)]


def _works(
    query: WorkQuery, start: Position, *, size: int, backwards: bool = False
) -> list[StuckWork]:
    streams = [
        map(work_of, stuck_rows(kind, query, KeysetSlice(start.of(kind), size, backwards)))
        for kind in query.kinds
    ]
    return list(islice(merge(*streams, key=_age, reverse=backwards), size))


def _age(work: StuckWork) -> tuple[datetime, int]:
    """The sort key. Documents of one batch have the same age and are ordered by kind."""
    return work.since, _RANKS[work.id.kind]


def _with_steps(works: list[StuckWork]) -> list[StuckWork]:
    """The exceptions with their latest steps, in one query per kind."""
    steps = {
        kind: latest_steps(kind, [work.id.key for work in works if work.id.kind is kind])
        for kind in {work.id.kind for work in works}
    }
    return [work._replace(step=steps[work.id.kind].get(work.id.key)) for work in works]
