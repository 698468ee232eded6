"""``sabot.events``: the event stream, in the order of the signed log."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from .calls import Calls, Operation
from .shapes.events import Event, EventPage
from .shapes.proofs import RecordProof

LIST: Final = Operation("list_events", "GET", "/events", EventPage)
READ: Final = Operation("read_event", "GET", "/events/{event_id}", Event)
PROVE: Final = Operation("prove_event", "GET", "/events/{event_id}/proof", RecordProof)
_MOST: Final = 1_000


class EventCalls:
    """Operations on events."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def poll(self, cursor: str = "0", *, limit: int = _MOST) -> EventPage:
        """The events after a cursor: ``0`` for all, ``end`` for only the latest cursor.

        Store ``next`` together with the processed events and continue from it: none is missed.
        """
        return self._calls.call(LIST, query={"cursor": cursor, "limit": limit})

    def behind(self, cursor: str = "0") -> Iterator[Event]:
        """Every event after a cursor until the end of the log; each has its own ``cursor``."""
        is_end = False
        while not is_end:
            page = self.poll(cursor)
            yield from page.data
            cursor, is_end = page.next, not page.more

    def get(self, event_id: UUID) -> Event:
        """An event."""
        return self._calls.call(READ, {"event_id": event_id})

    def prove(self, event_id: UUID) -> RecordProof:
        """The proof that an event is in the signed log."""
        return self._calls.call(PROVE, {"event_id": event_id})
