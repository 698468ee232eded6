"""Disputes, as the API returns them."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from . import HEADER
from .findings import DisputeFinding
from .rounds import RoundSummary


@dataclass(frozen=True, kw_only=True)
class DisputedRound:
    """The disputed round."""

    id: UUID
    round: Annotated[str, "The studio's id"]
    table: str
    rules: str
    game_code: str
    session: Annotated[str, "AAMS session id"]
    opened_at: datetime


@dataclass(frozen=True, kw_only=True)
class DisputeLinks:
    """The addresses of a dispute and of its parts."""

    self: str
    steps: str
    evidence: str
    dossiers: str
    round: str


@dataclass(frozen=True, kw_only=True)
class DisputeSummary:
    """The summary of a dispute. ``bet_number`` is None if all bets are disputed."""

    id: Annotated[str, "Such as D-0001"]
    state: str
    due_at: Annotated[datetime | None, "Due time of the next step"]
    overdue: bool
    round: DisputedRound
    customer: str
    bet_number: Annotated[int | None, "null: all of the customer's bets"]
    opened_by: str
    reason: str
    claimed_cents: int | None
    language: str
    opened_at: datetime
    owner: Annotated[str | None, "The reviewer. Hidden from customers"]
    links: DisputeLinks


@dataclass(frozen=True, kw_only=True)
class CitedHeading:
    """A heading of a rule sheet."""

    sheet: str
    heading: str


@dataclass(frozen=True, kw_only=True)
class DisputeDecision:
    """The latest decision; ``text`` is addressed to the customer."""

    verdict: str
    text: Annotated[str, "The reasons, addressed to the customer"]
    citations: tuple[CitedHeading, ...]
    at: datetime
    step: Annotated[int, "Sequence of its step"]
    actor: Annotated[str | None, "Hidden from customers"]


@dataclass(frozen=True, kw_only=True)
class DisputeCase:
    """The case that compensates the customer of an upheld dispute."""

    case: str
    kind: str
    stage: str
    step: Annotated[int, "Sequence of the step that decided it"]
    executed_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class DisputeRemedy(DisputeCase):
    """The same with its amount."""

    amount_cents: Annotated[
        int | None,
        "What the customer gains: planned, and posted once executed; negative for a loss, null"
        " while nothing is planned",
    ]
    chips_cents: Annotated[int | None, "The same in golden chips, in addition"]


@dataclass(frozen=True, kw_only=True)
class ListedDispute(DisputeSummary):
    """A dispute in a list, with the parts that ``expand`` names."""

    case: Annotated[DisputeCase | None, "null without a case, or if not expanded"]
    played: Annotated[
        RoundSummary | None,
        "The round, expanded as `round`; null if not expanded or not accessible",
    ]


@dataclass(frozen=True, kw_only=True)
class DisputeDetails(DisputeSummary):
    """The details of a dispute that the key may read; ``etag`` is its version."""

    text: Annotated[str, "The customer's statement"]
    actor: Annotated[str | None, "Who opened it. Hidden from customers"]
    step: Annotated[int, "Sequence of the latest step"]
    question: Annotated[str | None, "The open question, while it waits for the customer"]
    decision: DisputeDecision | None
    remedy: DisputeRemedy | None
    evidence_count: int
    finding: DisputeFinding
    _etag: str = field(default="", metadata={HEADER: "ETag"})

    @property
    def etag(self) -> str:
        """The version of what was read: for If-None-Match and If-Match."""
        return self._etag


@dataclass(frozen=True, kw_only=True)
class SelfLink:
    """Its address."""

    self: str


@dataclass(frozen=True, kw_only=True)
class DecisionProposal:
    """A decision proposed by a program."""

    id: int
    verdict: str
    text: Annotated[str, "The reasons, addressed to the customer"]
    citations: tuple[CitedHeading, ...]
    way: str | None
    remedy_words: str
    accepted_loss_cents: Annotated[int, "Accepted loss of the customer by this remedy"]
    step: Annotated[int, "Sequence of the step that it refers to"]
    at: datetime
    actor: Annotated[str, "The program, by its key"]
    links: SelfLink


@dataclass(frozen=True, kw_only=True)
class DisputeStep:
    """A step of a dispute."""

    sequence: int
    action: str
    at: datetime
    text: Annotated[str | None, "Customers see only text addressed to them"]
    citations: tuple[CitedHeading, ...]
    reference: Annotated[str | None, "Reference of a letter to or from the external body"]
    on_day: Annotated[date | None, "Date of that letter"]
    due_at: datetime | None
    actor: Annotated[str | None, "Hidden from customers"]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A piece of evidence; its content determines ``content_type``."""

    sha256: str
    name: str
    content_type: Annotated[str, "Determined by its content"]
    bytes: int
    added_at: datetime
    shared: Annotated[bool, "Whether the customer sees it"]
    actor: Annotated[str | None, "Hidden from customers"]
    links: SelfLink
