"""``sabot.events``: what became of rounds, in the order of the signed log."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from .calls import Calls, Operation


@dataclass(frozen=True, kw_only=True)
class EventData:
    """The settlement that an event is about."""

    round: str
    round_id: UUID
    table: str
    rules: str
    settlement: int
    kind: str
    staked_cents: int
    paid_cents: int
    paid_before_cents: int | None
    booked_on: dt.date


@dataclass(frozen=True, kw_only=True)
class EventLinks:
    """Where there is more."""

    round: str
    event: str
    proof: str


@dataclass(frozen=True, kw_only=True)
class Event:
    """A round was settled, corrected or voided. An event never changes."""

    id: UUID
    type: str
    timestamp: dt.datetime
    leaf: int
    cursor: str
    data: EventData
    links: EventLinks


@dataclass(frozen=True, kw_only=True)
class EventPage:
    """Events, the cursor of the next call, and whether to make it at once."""

    events: tuple[Event, ...]
    next: str
    more: bool


LIST: Final = Operation("list_events", "GET", "/events", EventPage)
READ: Final = Operation("get_event", "GET", "/events/{event_id}", Event)
PROVE: Final = Operation("prove_event", "GET", "/events/{event_id}/proof", dict[str, Any])
_MOST: Final = 1_000


class EventCalls:
    """What can be asked of events."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def poll(self, after: str = "0", *, limit: int = _MOST) -> EventPage:
        """The events behind a cursor: ``0`` for all, ``end`` for none but the latest cursor.

        Keep ``next`` with what was done about the events, and go on from it: none is missed.
        """
        return self._calls.tell(LIST, query={"after": after, "limit": limit})

    def behind(self, after: str = "0") -> Iterator[Event]:
        """Every event behind a cursor until the end of the log; each has its own ``cursor``."""
        is_end = False
        while not is_end:
            page = self.poll(after)
            yield from page.events
            after, is_end = page.next, not page.more

    def get(self, event_id: UUID) -> Event:
        """An event as it was told."""
        return self._calls.tell(READ, {"event_id": event_id})

    def prove(self, event_id: UUID) -> Mapping[str, Any]:
        """The proof that an event is in the signed log."""
        return self._calls.tell(PROVE, {"event_id": event_id})
