"""Events, as the API returns them and webhooks receive them."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class EventData:
    """The settlement of an event; money in cents."""

    round: Annotated[str, "The studio's id of the round"]
    round_id: UUID
    table: str
    rules: Annotated[str, "The rule set of the settlement"]
    settlement: Annotated[int, "1 for the first; each replaces the previous one"]
    kind: str
    staked_cents: int
    paid_cents: Annotated[int, "Refunded stakes included"]
    paid_before_cents: Annotated[int | None, "Payout of the previous settlement"]
    booked_on: Annotated[dt.date, "The gaming day it is booked to"]


@dataclass(frozen=True, kw_only=True)
class EventLinks:
    """Related addresses."""

    round: str
    event: str
    proof: Annotated[str, "Address of its inclusion proof"]


@dataclass(frozen=True, kw_only=True)
class Event:
    """A round was settled, corrected or voided. An event never changes."""

    id: Annotated[UUID, "Unique; also the webhook-id"]
    type: str
    timestamp: Annotated[dt.datetime, "Time of the settlement, UTC"]
    leaf: Annotated[int, "Its index in the signed log, from 0"]
    cursor: Annotated[str, "`cursor` of the call that continues after it"]
    data: EventData
    links: EventLinks


@dataclass(frozen=True, kw_only=True)
class EventPage:
    """A page of events."""

    data: tuple[Event, ...]
    next: Annotated[str, "`cursor` of the next call; there always is one"]
    more: Annotated[bool, "Whether to continue at once; if false, poll later"]
