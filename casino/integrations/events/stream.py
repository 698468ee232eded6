"""The event stream: audit records of settlements, disputes and cases, in the log's order.

There is no table of events: an event is a record, and its position in the log is the cursor
(``compliance.trail.log.log_reader``). An event exists once its record is in the log, within
seconds.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from casino.integrations.events.types import CASE_STEPS, DISPUTE_STEPS, SETTLEMENTS, EventType
from casino.integrations.models import ApiKey
from casino.integrations.scopes import Scope
from compliance.trail.log.log_reader import LoggedRecord, logged_record, read_log
from payouts.cases.models import Case
from payouts.disputes.models import Dispute
from payouts.disputes.status import STATES
from payouts.settlement.models import Settlement
from rounds.models import Round, RoundName

_ACTIONS: Final = (*SETTLEMENTS, *DISPUTE_STEPS, *CASE_STEPS)
_READ_TOGETHER: Final = 500
"""The number of records that are read together if not all of them are wanted."""


class SettledRound(NamedTuple):
    """A round that was settled, corrected or voided."""

    table: str
    round: str
    settlement: Settlement
    paid_before_cents: int | None
    """The payout of the previous settlement; None for the first."""


class DisputeChange(NamedTuple):
    """A step of a dispute, or the reminder of one."""

    table: str
    dispute: Dispute
    step: int | None
    """None for a reminder, which is no step."""
    state: str
    due: str | None


class CaseChange(NamedTuple):
    """A step of a case, or its execution. A case may be about rounds of several tables."""

    case: Case
    step: int | None
    """None for the execution, which is no step."""
    table: str = ""


class Event(NamedTuple):
    """An event for programs. Immutable."""

    leaf: int
    id: UUID
    type: EventType
    at: datetime
    about: SettledRound | DisputeChange | CaseChange

    @property
    def seen(self) -> int:
        """The cursor after the event: how many records of the log were read."""
        return self.leaf + 1

    def is_for(self, key: ApiKey) -> bool:
        """Whether the key may read it: its table, and for a dispute the scope.

        A key that is bound to tables reads no cases.
        """
        if isinstance(self.about, DisputeChange) and Scope.DISPUTES_READ.value not in key.scopes:
            return False
        return not key.tables or self.about.table in key.tables


class Page(NamedTuple):
    """A page of events, and the cursor after it."""

    events: list[Event]
    seen: int
    is_end: bool


def events_after(seen: int, *, key: ApiKey, limit: int, types: Collection[str] = ()) -> Page:
    """The next events of a key after the first ``seen`` records of the log, at most ``limit``.

    ``types`` restrict them; empty means all. A page may be empty before the end of the log:
    continue from its cursor.
    """
    is_all = not key.tables and not types and Scope.DISPUTES_READ.value in key.scopes
    most = limit if is_all else max(limit, _READ_TOGETHER)
    page = read_log(seen=seen, actions=_ACTIONS, most=most)
    wanted = [
        event
        for event in _events(page.records)
        if event.is_for(key) and (not types or event.type in types)
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


def type_of(settlement: Settlement) -> EventType:
    """The type of a settlement's event, by its kind and sequence.

    The first settlement of a held round by two people is *settled*, not *corrected*.
    """
    if settlement.kind == Settlement.Kind.VOID:
        return EventType.VOIDED
    return EventType.SETTLED if settlement.sequence == 1 else EventType.CORRECTED


def _events(records: Iterable[LoggedRecord]) -> list[Event]:
    parts: dict[str, list[LoggedRecord]] = {"round": [], "dispute": [], "case": []}
    for record in records:
        parts[record.subject.partition(":")[0]].append(record)
    events = (*_settled(parts["round"]), *_of_disputes(parts["dispute"]), *_of_cases(parts["case"]))
    return sorted(events, key=lambda event: event.leaf)


def _name(record: LoggedRecord) -> str:
    return record.subject.partition(":")[2]


def _number(record: LoggedRecord) -> int:
    """The primary key in a name such as D-0001."""
    return int(record.subject.rpartition("-")[2])


def _settled(records: Sequence[LoggedRecord]) -> Iterator[Event]:
    names = RoundName.objects.filter(reference__in={_name(record) for record in records})
    ids = dict(names.values_list("reference", "round_id"))
    rounds = Round.objects.filter(id__in=ids.values()).values_list("id", "table__code")
    tables = dict(rounds)
    settled = Settlement.objects.filter(round_id__in=tables).defer("reason", "bonus")
    settlements = {(row.round_id, row.sequence): row for row in settled}
    for record in records:
        round_id, sequence = ids[_name(record)], record.details["settlement"]
        settlement = settlements[round_id, sequence]
        before = settlements.get((round_id, sequence - 1))
        paid_before = None if before is None else before.payout_cents
        about = SettledRound(tables[round_id], _name(record), settlement, paid_before)
        yield Event(record.leaf, record.id, type_of(settlement), record.at, about)


def _of_disputes(records: Sequence[LoggedRecord]) -> Iterator[Event]:
    rows = Dispute.objects.select_related("round__table", "customer")
    disputes = rows.in_bulk({_number(record) for record in records})
    for record in records:
        dispute, details = disputes[_number(record)], record.details
        action = record.action.removeprefix("DISPUTE_").lower()
        state = details["state"] if action not in STATES else STATES[action].value
        about = DisputeChange(
            dispute.round.table.code, dispute, details.get("step"), state, details["due"]
        )
        yield Event(record.leaf, record.id, DISPUTE_STEPS[record.action], record.at, about)


def _of_cases(records: Sequence[LoggedRecord]) -> Iterator[Event]:
    cases = Case.objects.in_bulk({_number(record) for record in records})
    for record in records:
        about = CaseChange(cases[_number(record)], record.details.get("step"))
        yield Event(record.leaf, record.id, CASE_STEPS[record.action], record.at, about)
