"""Events, as the API returns them and webhooks receive them."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class SettlementEvent:
    """The settlement of a round; money in cents."""

    round: Annotated[str, "The studio's id of the round"]
    round_id: UUID
    table: str
    rules: Annotated[str, "The rule set of the settlement"]
    sequence: Annotated[int, "1 for the first; each replaces the previous one"]
    kind: str
    staked_cents: int
    paid_cents: Annotated[int, "Refunded stakes included"]
    paid_before_cents: Annotated[int | None, "Payout of the previous settlement"]
    booked_on: Annotated[dt.date, "The gaming day it is booked to"]
    link: Annotated[str, "Address of the round"]


@dataclass(frozen=True, kw_only=True)
class DisputeEvent:
    """The dispute after the event."""

    dispute: Annotated[str, "Such as D-0001"]
    step: Annotated[int | None, "Sequence of its step; null for dispute.due, which is no step"]
    state: str
    due_at: Annotated[dt.datetime | None, "Due time of the next step"]
    round: Annotated[str, "The studio's id of the disputed round"]
    round_id: UUID
    table: str
    customer: str
    link: Annotated[str, "Address of the dispute"]


@dataclass(frozen=True, kw_only=True)
class CaseEvent:
    """A case, of which the API says no more: people see it in the back office."""

    case: Annotated[str, "Such as M-0001"]
    kind: str
    step: Annotated[int | None, "Sequence of its step; null for case.executed, which is no step"]


@dataclass(frozen=True, kw_only=True)
class EventData:
    """What the event is about: one of these, by its type; the others are null."""

    settlement: Annotated[SettlementEvent | None, "round.settled, round.corrected, round.voided"]
    dispute: Annotated[DisputeEvent | None, "dispute.*; only with disputes:read"]
    case: Annotated[CaseEvent | None, "case.*; only without restriction to tables"]


@dataclass(frozen=True, kw_only=True)
class EventLinks:
    """The addresses of an event."""

    event: str
    proof: Annotated[str, "Address of its inclusion proof"]


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened to a round, a dispute or a case. An event never changes."""

    id: Annotated[UUID, "Unique; also the webhook-id"]
    type: str
    timestamp: Annotated[dt.datetime, "When it happened, UTC"]
    leaf: Annotated[int, "Its index in the signed log, from 0"]
    cursor: Annotated[str, "`cursor` of the call that continues after it"]
    sandbox: Annotated[bool, "Whether it happened in a sandbox, where nothing is real"]
    data: EventData
    links: EventLinks


@dataclass(frozen=True, kw_only=True)
class EventPage:
    """A page of events."""

    data: tuple[Event, ...]
    next: Annotated[str, "`cursor` of the next call; there always is one"]
    more: Annotated[bool, "Whether to continue at once; if false, poll later"]
