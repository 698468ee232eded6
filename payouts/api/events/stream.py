"""Events are the audit records of settlements, in the order of the log that is signed.

There is no table of events beside it: what is told to programs is what is on record, and the place
in the log is the cursor (``compliance.trail.following`` says why it skips and repeats nothing). An
event exists when its record is in the log, which takes seconds.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.following import LoggedRecord, follow_log, logged_record
from payouts.models import Settlement
from rounds.models import Round, RoundName

_ACTIONS: Final = ("ROUND_SETTLED", "ROUND_RESETTLED", "ROUND_RULED", "ROUND_VOIDED")
_SUBJECT: Final = "round:"
_LOOKED_AT: Final = 500
"""Records that are looked at together where not all of them are wanted."""


class EventType(StrEnum):
    """What happened to a round. A round is settled once; what follows corrects or voids it."""

    SETTLED = "round.settled"
    CORRECTED = "round.corrected"
    VOIDED = "round.voided"


class Event(NamedTuple):
    """A settlement, as programs are told of it. It never changes."""

    leaf: int
    id: UUID
    type: EventType
    at: datetime
    table: str
    round: str
    settlement: Settlement
    paid_before_cents: int | None
    """What the settlement before had paid, None for the first."""

    @property
    def seen(self) -> int:
        """How many records of the log are seen with it: the cursor that leads on."""
        return self.leaf + 1


class Page(NamedTuple):
    """Events in their order, and the cursor that leads on."""

    events: list[Event]
    seen: int
    is_end: bool


def events_after(
    seen: int, *, limit: int, tables: Sequence[str] = (), types: Collection[str] = ()
) -> Page:
    """The next events after the first ``seen`` records of the log, at most so many.

    Of these tables and types only; of all where none are named. There may be fewer, or none, and
    the end not reached all the same: one goes on from the cursor.
    """
    most = max(limit, _LOOKED_AT) if tables or types else limit
    followed = follow_log(seen=seen, actions=_ACTIONS, most=most)
    wanted = [
        one
        for one in _events(followed.records)
        if (not tables or one.table in tables) and (not types or one.type in types)
    ]
    if len(wanted) > limit:
        return Page(wanted[:limit], wanted[limit - 1].seen, is_end=False)
    return Page(wanted, followed.seen, followed.is_end)


def event_of(event_id: UUID) -> Event | None:
    """The event of this id; None where there is none."""
    record = logged_record(event_id)
    if record is None or record.action not in _ACTIONS:
        return None
    [event] = _events([record])
    return event


def _events(records: Iterable[LoggedRecord]) -> list[Event]:
    named = [(one, one.subject.removeprefix(_SUBJECT)) for one in records]
    references = {name for _record, name in named}
    names = RoundName.objects.filter(reference__in=references)
    ids = dict(names.values_list("reference", "round_id"))
    rounds = Round.objects.filter(id__in=ids.values()).values_list("id", "table__code")
    tables = dict(rounds)
    settled = Settlement.objects.filter(round_id__in=tables).defer("reason", "bonus")
    settlements = {(one.round_id, one.sequence): one for one in settled}
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
    """By what the settlement is, not by who decided it.

    A held round that two persons have settled for the first time is settled, not corrected.
    """
    if settlement.kind == Settlement.Kind.VOID:
        return EventType.VOIDED
    return EventType.SETTLED if settlement.sequence == 1 else EventType.CORRECTED
