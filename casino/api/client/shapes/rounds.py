"""Rounds, bets, deliveries and jobs, as the API returns them.

Money is in cents; times have a UTC offset; facts have the format of the feed contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated
from uuid import UUID

from . import HEADER
from .about import FieldError
from .page import Page
from .proofs import RecordProof


@dataclass(frozen=True, kw_only=True)
class RoundLinks:
    """The addresses of a round and of its parts."""

    self: str
    bets: str
    timeline: str
    receipt: str


@dataclass(frozen=True, kw_only=True)
class DeliveryResult:
    """The result of a delivery: ``accepted`` if it is new, ``known`` if it was stored before."""

    verdict: str
    round: Annotated[str | None, "The studio's id; null for a shoe, as id, status and links"]
    id: Annotated[UUID | None, "Sabot's id of the round"]
    shoe: Annotated[str | None, "The id of a shoe, instead of the round"]
    anomalies: Annotated[
        tuple[str, ...],
        "Codes for which it is held because of its arrival: unsigned-source …",
    ]
    status: str | None
    links: RoundLinks | None


@dataclass(frozen=True, kw_only=True)
class LineResult:
    """The result of a line of a stream: accepted, known, conflict or refused."""

    line: int
    verdict: str
    round: str | None = None
    id: UUID | None = None
    shoe: str | None = None
    anomalies: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JobVerdicts:
    """The number of documents by result."""

    accepted: int
    known: int
    conflict: int
    refused: int


@dataclass(frozen=True, kw_only=True)
class JobLinks:
    """The addresses of a job and of its results."""

    self: str
    results: str


@dataclass(frozen=True, kw_only=True)
class Job:
    """A delivery that workers process: its progress and its results by line."""

    id: UUID
    status: Annotated[
        str, "failing: it is retried, and people are notified; cancelled: the rest was not read"
    ]
    percent: int
    bytes: Annotated[int, "Size of the feed, uncompressed"]
    lines: Annotated[int, "Lines read so far"]
    verdicts: JobVerdicts
    delivered_at: datetime
    finished_at: Annotated[datetime | None, "When every line was read, or the job cancelled"]
    links: JobLinks


@dataclass(frozen=True, kw_only=True)
class RoundSummary:
    """The summary of a round; with a customer, bets and money are that customer's."""

    id: Annotated[UUID, "Sabot's id; ids are in the order of play"]
    round: Annotated[str, "The studio's id"]
    table: str
    rules: str
    game_code: Annotated[str, "As players see it: #HH:MM:SS of the opening, GMT"]
    session: Annotated[str, "AAMS session id"]
    opened_at: datetime
    closed_at: datetime
    ended_at: datetime
    received_at: datetime
    status: str
    anomalies: Annotated[tuple[str, ...], "Codes of the feed contract"]
    settlement: Annotated[
        int | None, "The sequence of the current settlement; null before the first"
    ]
    bet_count: int
    staked_cents: Annotated[int, "Stakes and raises"]
    payout_cents: Annotated[int | None, "Amount credited, stakes included"]
    links: RoundLinks


@dataclass(frozen=True, kw_only=True)
class BetReason:
    """A rule that decided a bet."""

    rule: str
    sheet: Annotated[str | None, "Key of the rule sheet"]
    heading: Annotated[str | None, "Heading of the sheet"]
    title: str | None
    summary: str | None


@dataclass(frozen=True, kw_only=True)
class ExplanationStep:
    """A step of the explanation of a payout."""

    text: Annotated[str, "In the language of Accept-Language"]
    rule: Annotated[str | None, "The rule of the step"]
    adds_cents: Annotated[int, "Its part of the payout"]


@dataclass(frozen=True, kw_only=True)
class Bet:
    """A bet with its payout and the reasons for it."""

    number: Annotated[int, "Its index in the feed's list, from 0"]
    id: str
    customer: Annotated[str, "The feed's player"]
    participation: Annotated[str, "AAMS participation id"]
    box: int | None
    kind: str
    play: str
    funding: str
    behind: bool
    follows: bool
    placed_at: datetime
    stake_cents: int
    raised_cents: int
    reported_cents: Annotated[int | None, "Amount credited, by the studio"]
    outcome: str | None
    payout_cents: Annotated[int | None, "Amount credited, stakes included"]
    chips_cents: Annotated[int | None, "The part in golden chips"]
    reasons: tuple[BetReason, ...]
    explanation: tuple[ExplanationStep, ...]


@dataclass(frozen=True, kw_only=True)
class BonusResult:
    """The bonus of a settlement, by the rules."""

    level: str | None
    points: int
    multiplier: str | None


@dataclass(frozen=True, kw_only=True)
class RoundBonus:
    """A bonus grid as it was played."""

    level: str
    spins: Annotated[
        tuple[tuple[tuple[int | str, ...], ...], ...],
        "For each spin the cells that it filled: [cell, multiplier]",
    ]
    specials: Annotated[
        Mapping[str, Mapping[str, str]], "By section number: `boost` or `star` with its value"
    ]
    multiplier: Annotated[str, "The total that the studio announced"]


@dataclass(frozen=True, kw_only=True)
class TimelineEntry:
    """An audit record of a round."""

    id: Annotated[UUID, "Id of the audit record"]
    at: datetime
    action: str
    text: Annotated[str, "In the language of Accept-Language"]
    actor: Annotated[str | None, "Who did it; hidden from customers"]


@dataclass(frozen=True, kw_only=True)
class SettlementDetails:
    """A settlement. Totals and names are hidden from customers."""

    sequence: int
    kind: str
    rules: str
    settled_at: datetime
    reason: str | None
    bonus: BonusResult | None
    staked_cents: int | None
    payout_cents: int | None
    chips_cents: int | None
    actor: str | None
    approved_by: str | None


@dataclass(frozen=True, kw_only=True)
class ListedRound(RoundSummary):
    """A round in a list, with the parts that ``expand`` names."""

    cards: Annotated[
        tuple[tuple[str, ...], ...] | None,
        "[position, card] in dealing order; null if not expanded",
    ]
    settlements: Annotated[tuple[SettlementDetails, ...] | None, "null if not expanded"]
    bets: Annotated[
        Page[Bet] | None,
        "The first page; `next` continues the list of its bets; null if not expanded",
    ]


@dataclass(frozen=True, kw_only=True)
class RoundShoe:
    """The shoe of a round, and how many cards had left it before the first card."""

    id: str
    drawn: int


@dataclass(frozen=True, kw_only=True)
class RoundDisconnect:
    """A player who lost the connection. Cards that were dealt off line follow those seen."""

    player: str
    at: datetime
    cards_seen: int | None
    cards: Annotated[tuple[tuple[str, ...], ...], "[position, card] dealt off line, in order"]


@dataclass(frozen=True, kw_only=True)
class RoundVideo:
    """Where the recording of a round is, and its SHA-256 in hexadecimal."""

    ref: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class RoundDetails(RoundSummary):
    """The details of a round. Facts have the format of the feed contract."""

    shoe: RoundShoe | None
    cards: Annotated[tuple[tuple[str, ...], ...], "[position, card] in dealing order"]
    multipliers: Mapping[str, str] | None
    bonus: RoundBonus | None
    disconnects: tuple[RoundDisconnect, ...]
    incident: str | None
    dealer: Annotated[str | None, "Null for customers, as the next three"]
    shift: str | None
    location: str | None
    video: RoundVideo | None
    settlements: tuple[SettlementDetails, ...]
    bets: Page[Bet]
    timeline: tuple[TimelineEntry, ...]
    _etag: str = field(default="", metadata={HEADER: "ETag"})

    @property
    def etag(self) -> str:
        """The version of what was read: for If-None-Match and If-Match."""
        return self._etag


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Proofs that the audit records of a round are in the signed log."""

    receipt: str
    round: str
    complete: Annotated[
        bool, "Whether the witnesses that the operator names have cosigned; else ask again"
    ]
    records: tuple[RecordProof, ...]
