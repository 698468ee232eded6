"""Findings, as the API returns them: the replay of a disputed round."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class LocalizedText:
    """A text in both languages."""

    it: str
    en: str


@dataclass(frozen=True, kw_only=True)
class FindingRound:
    """The round as it is stored."""

    id: UUID
    reference: str
    code: str
    table: str
    rules: str
    rules_sha256: str
    opened_at: datetime
    aams_session: str
    malfunction: bool
    cards: Annotated[tuple[str, ...], "In dealing order, with positions"]
    document_sha256: Annotated[str, "Digest of the studio's document"]


@dataclass(frozen=True, kw_only=True)
class FindingSettlement:
    """A settlement of the round; names and totals are hidden from customers."""

    sequence: int
    kind: str
    at: datetime
    actor: Annotated[str | None, "Hidden from customers"]
    approved_by: Annotated[str | None, "Hidden from customers"]
    reason: str
    payout_cents: Annotated[int | None, "Total of all bets of the round. Hidden from customers"]
    results_sha256: Annotated[str | None, "Hidden from customers"]


@dataclass(frozen=True, kw_only=True)
class Replay:
    """The replay of the round from its cards."""

    status: str | None
    anomalies: tuple[str, ...]
    refused: Annotated[str, "Why the replay failed; empty if it succeeded"]
    agrees: Annotated[bool | None, "Whether replay and payouts agree; null if unknown"]
    ruling_agrees: Annotated[bool | None, "The same for the ruling, if there is one"]


@dataclass(frozen=True, kw_only=True)
class FindingOutcome:
    """The outcome and the payout of a bet."""

    outcome: str
    payout_cents: int
    chips_cents: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FindingStep:
    """A step of the explanation."""

    rule: str | None
    sheet: str | None
    heading: str | None
    text: LocalizedText
    adds_cents: int


@dataclass(frozen=True, kw_only=True)
class SiblingBet:
    """A bet of another customer in the same situation."""

    number: int
    reference: str
    customer: str
    staked_cents: int
    payout_cents: int | None


@dataclass(frozen=True, kw_only=True)
class Siblings:
    """Bets of other customers of the same kind, box and outcome."""

    count: int
    bets: Annotated[tuple[SiblingBet, ...] | None, "The first hundred; only with disputes:decide"]


@dataclass(frozen=True, kw_only=True)
class FindingBet:
    """A disputed bet, its settlement, its replay, and the explanation."""

    number: int
    reference: Annotated[str, "The studio's id"]
    customer: str
    aams_participation: str
    kind: str
    box: int | None
    staked_cents: int
    golden: bool
    placed_at: datetime
    reported_cents: int | None
    settled: FindingOutcome | None
    rules_give: FindingOutcome | None
    steps: tuple[FindingStep, ...]
    adds_up: bool | None = None
    siblings: Siblings


@dataclass(frozen=True, kw_only=True)
class FindingReading:
    """An interpretation of the rules that the payout depends on."""

    key: str
    title: LocalizedText
    reading: LocalizedText
    why: LocalizedText


@dataclass(frozen=True, kw_only=True)
class FindingRecord:
    """An audit record of the round."""

    id: UUID
    action: str
    at: datetime
    in_log: Annotated[bool, "Whether it was in the signed log at that time"]
    proof: Annotated[str, "Address of its proof"]


@dataclass(frozen=True, kw_only=True)
class EarlierProceedings:
    """Earlier cases and disputes of the round."""

    cases: tuple[str, ...]
    disputes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class DisputeFinding:
    """The finding: what Sabot established when the dispute was opened."""

    finding: Annotated[str, "sabot finding/1"]
    sha256: Annotated[str, "Digest of the finding, as in the audit trail"]
    round: FindingRound
    status: str
    anomalies: tuple[str, ...]
    settlements: tuple[FindingSettlement, ...]
    replay: Replay
    bets: tuple[FindingBet, ...]
    readings: tuple[FindingReading, ...]
    records: Annotated[tuple[FindingRecord, ...], "For a customer only those about play and money"]
    earlier: Annotated[EarlierProceedings | None, "Only with disputes:decide"]
