"""What the API tells of disputes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from .finding_shapes import DisputeFinding
from .reading import HEADER


@dataclass(frozen=True, kw_only=True)
class DisputedRound:
    """The round that is contested."""

    id: UUID
    round: str
    table: str
    rules: str
    game_code: str
    session: str
    opened_at: datetime


@dataclass(frozen=True, kw_only=True)
class DisputeLinks:
    """Where all about a dispute is."""

    self: str
    steps: str
    evidence: str
    dossiers: str
    round: str


@dataclass(frozen=True, kw_only=True)
class DisputeInShort:
    """A dispute as lists tell it. ``bet_number`` is None where all bets are contested."""

    id: str
    state: str
    due_at: datetime | None
    overdue: bool
    round: DisputedRound
    customer: str
    bet_number: int | None
    opened_by: str
    reason: str
    claimed_cents: int | None
    language: str
    opened_at: datetime
    owner: str | None
    links: DisputeLinks


@dataclass(frozen=True, kw_only=True)
class CitedHeading:
    """A heading of a rule sheet."""

    sheet: str
    heading: str


@dataclass(frozen=True, kw_only=True)
class DisputeDecision:
    """What was decided, the latest; ``text`` is for the customer."""

    verdict: str
    text: str
    citations: tuple[CitedHeading, ...]
    at: datetime
    step: int
    actor: str | None


@dataclass(frozen=True, kw_only=True)
class DisputeRemedy:
    """The case by which an upheld dispute is made good, for the customer himself."""

    case: str
    kind: str
    stage: str
    step: int
    executed_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class WholeDispute(DisputeInShort):
    """A dispute with everything that the key may read; ``etag`` is what to act upon."""

    text: str
    actor: str | None
    step: int
    question: str | None
    decision: DisputeDecision | None
    remedy: DisputeRemedy | None
    evidence_count: int
    finding: DisputeFinding
    etag: str = field(default="", metadata={HEADER: "ETag"})


@dataclass(frozen=True, kw_only=True)
class OwnLink:
    """Where it is."""

    self: str


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A decision that a program proposed; ``step`` is that upon which it was made."""

    id: int
    verdict: str
    text: str
    citations: tuple[CitedHeading, ...]
    way: str | None
    remedy_words: str
    step: int
    at: datetime
    actor: str
    links: OwnLink


@dataclass(frozen=True, kw_only=True)
class DisputeStep:
    """Something that was done about a dispute."""

    sequence: int
    action: str
    at: datetime
    text: str | None
    citations: tuple[CitedHeading, ...]
    reference: str | None
    on_day: date | None
    due_at: datetime | None
    actor: str | None


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A file that was handed in; ``content_type`` is by its content."""

    sha256: str
    name: str
    content_type: str
    bytes: int
    added_at: datetime
    actor: str | None
    links: OwnLink


@dataclass(frozen=True, kw_only=True)
class RecordProof:
    """A record with its path to a signed head of the log."""

    proof: str
    record: str
    leaf_index: int
    path: tuple[str, ...]
    head: Mapping[str, Any]
    public_key: str
