"""Rounds and what belongs to them, as the API tells them.

Money is whole cents; times have their zone; what the feed contract defines is in its form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from .paging import Page
from .problems import FieldError
from .reading import HEADER


@dataclass(frozen=True, kw_only=True)
class RoundLinks:
    """Where all about a round is."""

    self: str
    bets: str
    timeline: str
    receipt: str


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A round or a shoe that was taken: ``accepted`` now, or ``known`` from before."""

    verdict: str
    round: str | None = None
    id: UUID | None = None
    shoe: str | None = None
    status: str | None = None
    links: RoundLinks | None = None


@dataclass(frozen=True, kw_only=True)
class LineAnswer:
    """What became of a line of a stream: accepted, known, in conflict or refused."""

    line: int
    verdict: str
    round: str | None = None
    id: UUID | None = None
    shoe: str | None = None
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JobVerdicts:
    """How many documents became what."""

    accepted: int
    known: int
    conflict: int
    refused: int


@dataclass(frozen=True, kw_only=True)
class JobLinks:
    """Where a job and its answers are."""

    self: str
    answers: str


@dataclass(frozen=True, kw_only=True)
class Job:
    """A delivery that the workers take in: waiting, running, failing (tried again) or finished."""

    id: UUID
    status: str
    percent: int
    bytes: int
    lines: int
    verdicts: JobVerdicts
    delivered_at: datetime
    finished_at: datetime | None
    links: JobLinks


@dataclass(frozen=True, kw_only=True)
class RoundInShort:
    """A round as lists tell it; asked for a customer, bets and money are that customer's."""

    id: UUID
    round: str
    table: str
    rules: str
    game_code: str
    session: str
    opened_at: datetime
    closed_at: datetime
    ended_at: datetime
    received_at: datetime
    status: str
    anomalies: tuple[str, ...]
    settlement: int | None
    bet_count: int
    staked_cents: int
    payout_cents: int | None
    links: RoundLinks


@dataclass(frozen=True, kw_only=True)
class Reason:
    """A rule by which a bet was decided."""

    rule: str
    sheet: str | None
    heading: str | None
    title: str | None
    summary: str | None


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step towards a payout, in the client's language."""

    text: str
    rule: str | None
    adds_cents: int


@dataclass(frozen=True, kw_only=True)
class Bet:
    """A bet, what it paid, and why."""

    number: int
    id: str
    customer: str
    participation: str
    box: int | None
    kind: str
    play: str
    funding: str
    behind: bool
    follows: bool
    placed_at: datetime
    stake_cents: int
    raised_cents: int
    reported_cents: int | None
    outcome: str | None
    payout_cents: int | None
    chips_cents: int | None
    reasons: tuple[Reason, ...]
    explanation: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True)
class TimelineEntry:
    """Something that was recorded about a round."""

    id: UUID
    at: datetime
    action: str
    text: str
    actor: str | None


@dataclass(frozen=True, kw_only=True)
class OneSettlement:
    """A decision on the round's money. Sums and persons are not told to a customer."""

    sequence: int
    kind: str
    rules: str
    settled_at: datetime
    reason: str | None
    bonus: Mapping[str, Any] | None
    staked_cents: int | None
    payout_cents: int | None
    chips_cents: int | None
    actor: str | None
    approved_by: str | None


@dataclass(frozen=True, kw_only=True)
class WholeRound(RoundInShort):
    """A round with everything; ``etag`` says by which version of it."""

    shoe: Mapping[str, Any] | None
    cards: tuple[tuple[str, ...], ...]
    multipliers: Mapping[str, Any] | None
    bonus: Mapping[str, Any] | None
    disconnects: tuple[Mapping[str, Any], ...]
    incident: str | None
    settlements: tuple[OneSettlement, ...]
    bets: Page[Bet]
    timeline: tuple[TimelineEntry, ...]
    etag: str = field(default="", metadata={HEADER: "ETag"})


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Proofs that what is recorded about a round is in the signed log."""

    receipt: str
    round: str
    records: tuple[Mapping[str, Any], ...]
