"""The event stream: the audit records of settlements, in the order of the signed log.

There is no table of events: an event is a record, and its position in the log is the cursor
(``compliance.trail.log.log_reader``). An event exists once its record is in the log, within
seconds.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.log.log_reader import LoggedRecord, logged_record, read_log
from payouts.settlement.models import Settlement
from rounds.models import Round, RoundName

_ACTIONS: Final = ("ROUND_SETTLED", "ROUND_RESETTLED", "ROUND_RULED", "ROUND_VOIDED")
_SUBJECT: Final = "round:"
_LOOKED_AT: Final = 500
"""The number of records that are read together if not all of them are wanted."""


class EventType(StrEnum):
    """The types of events. A round is settled once; later settlements correct or void it."""

    SETTLED = "round.settled"
    CORRECTED = "round.corrected"
    VOIDED = "round.voided"


class Event(NamedTuple):
    """A settlement, as an event for programs. Immutable."""

    leaf: int
    id: UUID
    type: EventType
    at: datetime
    table: str
    round: str
    settlement: Settlement
    paid_before_cents: int | None
    """The payout of the previous settlement; None for the first."""

    @property
    def seen(self) -> int:
        """The cursor after the event: how many records of the log were read."""
        return self.leaf + 1


class Page(NamedTuple):
    """A page of events, and the cursor after it."""

    events: list[Event]
    seen: int
    is_end: bool


def events_after(
    seen: int, *, limit: int, tables: Sequence[str] = (), types: Collection[str] = ()
) -> Page:
    """The next events after the first ``seen`` records of the log, at most ``limit``.

    ``tables`` and ``types`` restrict them; empty means all. A page may be empty before the end of
    the log: continue from its cursor.
    """
    most = max(limit, _LOOKED_AT) if tables or types else limit
    page = read_log(seen=seen, actions=_ACTIONS, most=most)
    wanted = [
        event
        for event in _events(page.records)
        if (not tables or event.table in tables) and (not types or event.type in types)
    ]
    if len(wanted) > limit:
        return Page(wanted[:limit], wanted[limit - 1].seen, is_end=False)
    return Page(wanted, page.seen, page.is_end)


def event_of(event_id: UUID) -> Event | None:
    """The event with this id; None if there is none."""
    record = logged_record(event_id)
    if record is None or record.action not in _ACTIONS:
        return None
    [event] = _events([record])
    return event


def _events(records: Iterable[LoggedRecord]) -> list[Event]:
    named = [(record, record.subject.removeprefix(_SUBJECT)) for record in records]
    references = {name for _record, name in named}
    names = RoundName.objects.filter(reference__in=references)
    ids = dict(names.values_list("reference", "round_id"))
    rounds = Round.objects.filter(id__in=ids.values()).values_list("id", "table__code")
    tables = dict(rounds)
    settled = Settlement.objects.filter(round_id__in=tables).defer("reason", "bonus")
    settlements = {(row.round_id, row.sequence): row for row in settled}
    return [
        _event(record, name, tables[ids[name]], settlements, ids[name]) for record, name in named
    ]


def _event(
    record: LoggedRecord,
    name: str,
    table: str,
    settlements: dict[tuple[UUID, int], Settlement],
    round_id: UUID,
) -> Event:
    sequence = record.details["settlement"]
    settlement = settlements[round_id, sequence]
    before = settlements.get((round_id, sequence - 1))
    paid_before = None if before is None else before.payout_cents
    of = type_of(settlement)
    return Event(record.leaf, record.id, of, record.at, table, name, settlement, paid_before)


def type_of(settlement: Settlement) -> EventType:
    """The type of a settlement's event, by its kind and sequence.

    The first settlement of a held round by two people is *settled*, not *corrected*.
    """
    if settlement.kind == Settlement.Kind.VOID:
        return EventType.VOIDED
    return EventType.SETTLED if settlement.sequence == 1 else EventType.CORRECTED
