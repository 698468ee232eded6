"""All stuck work in one list, oldest first, page by page: never counted, never skipped through."""

import re
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Final, NamedTuple

from payouts.models import WorkKind
from payouts.stuck.kinds import Asked, Stretch, stuck_rows
from payouts.stuck.steps import latest_steps
from payouts.stuck.work import StuckWork, work_of

SIZE: Final = 50
_RANKS: Final = {kind: rank for rank, kind in enumerate(WorkKind)}
_PLACES: Final = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18}){3}")


class Position(NamedTuple):
    """A place in the list: how far it has been read in each kind."""

    round: int = 0
    conflict: int = 0
    document: int = 0
    task: int = 0

    def __str__(self) -> str:
        return ".".join(map(str, self))

    def of(self, kind: WorkKind) -> int:
        """How far this kind has been read."""
        place: int = getattr(self, kind.value)
        return place

    def behind(self, shown: list[StuckWork]) -> "Position":
        """The place behind these."""
        last = {work.id.kind.value: work.place for work in shown}
        return self._replace(**last)

    def before(self, shown: list[StuckWork]) -> "Position":
        """The place before these."""
        first = {work.id.kind.value: work.place - 1 for work in reversed(shown)}
        return self._replace(**first)


class StuckPage(NamedTuple):
    """Some stuck work, oldest first, and the places that lead on from it (None at an end)."""

    works: list[StuckWork]
    earlier: Position | None
    later: Position | None


def position_of(text: str | None) -> Position | None:
    """A place as it stands in an address; None for what is none."""
    if not text or not _PLACES.fullmatch(text):
        return None
    return Position(*map(int, text.split(".")))


def stuck_page(
    asked: Asked,
    *,
    after: Position | None = None,
    before: Position | None = None,
    size: int = SIZE,
) -> StuckPage:
    """The stuck work just behind or just before a place, the oldest without one.

    Each kind is read in the order in which it came, and the kinds are merged by age, so that
    nothing is shown twice or left out while work comes and goes.
    """
    if before is not None:
        found = _found(asked, before, size=size + 1, backwards=True)
        if shown := found[:size][::-1]:
            start = before.before(shown) if len(found) > size else None
            return StuckPage(_with_steps(shown), start, before)
    start = after or Position()
    found = _found(asked, start, size=size + 1)
    shown = found[:size]
    end = start.behind(shown) if len(found) > size else None
    return StuckPage(_with_steps(shown), after, end)


def oldest_stuck(asked: Asked, *, most: int) -> list[datetime]:
    """Since when each of the oldest stands still, so many at most."""
    return [work.since for work in _found(asked, Position(), size=most)]


def _found(asked: Asked, start: Position, *, size: int, backwards: bool = False) -> list[StuckWork]:
    streams = [
        map(work_of, stuck_rows(kind, asked, Stretch(start.of(kind), size, backwards)))
        for kind in asked.kinds
    ]
    return list(islice(merge(*streams, key=_age, reverse=backwards), size))


def _age(work: StuckWork) -> tuple[datetime, int]:
    """All documents of one batch are of one age: among them the kinds have an order."""
    return work.since, _RANKS[work.id.kind]


def _with_steps(works: list[StuckWork]) -> list[StuckWork]:
    """Each with the last that was done about it; one query a kind."""
    steps = {
        kind: latest_steps(kind, [work.id.key for work in works if work.id.kind is kind])
        for kind in {work.id.kind for work in works}
    }
    return [work._replace(step=steps[work.id.kind].get(work.id.key)) for work in works]
