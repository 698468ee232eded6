"""What the API tells of a finding: the round of a dispute judged anew as it was opened."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class InBothLanguages:
    """A text."""

    it: str
    en: str


@dataclass(frozen=True, kw_only=True)
class FoundRound:
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
    cards: tuple[str, ...]
    document_sha256: str


@dataclass(frozen=True, kw_only=True)
class FoundSettlement:
    """A settlement that the round had; a customer is told no person and no sum of the round."""

    sequence: int
    kind: str
    at: datetime
    actor: str | None
    approved_by: str | None
    reason: str
    payout_cents: int | None
    results_sha256: str | None


@dataclass(frozen=True, kw_only=True)
class Replay:
    """The round judged anew; ``agrees`` is None where that cannot be told."""

    status: str | None
    anomalies: tuple[str, ...]
    refused: str
    agrees: bool | None
    ruling_agrees: bool | None


@dataclass(frozen=True, kw_only=True)
class FoundGrade:
    """What a bet pays."""

    outcome: str
    payout_cents: int
    chips_cents: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FoundStep:
    """A step of the explanation."""

    rule: str | None
    sheet: str | None
    heading: str | None
    text: InBothLanguages
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
    """How many there are; which ones, for keys with disputes:decide."""

    count: int
    bets: tuple[SiblingBet, ...] | None


@dataclass(frozen=True, kw_only=True)
class FoundBet:
    """A contested bet, what it was paid, what the rules give, and why."""

    number: int
    reference: str
    customer: str
    aams_participation: str
    kind: str
    box: int | None
    staked_cents: int
    golden: bool
    placed_at: datetime
    reported_cents: int | None
    settled: FoundGrade | None
    rules_give: FoundGrade | None
    steps: tuple[FoundStep, ...]
    adds_up: bool | None = None
    siblings: Siblings


@dataclass(frozen=True, kw_only=True)
class FoundReading:
    """An entry of the register of readings that the payout rests on."""

    key: str
    title: InBothLanguages
    reading: InBothLanguages
    why: InBothLanguages


@dataclass(frozen=True, kw_only=True)
class FoundRecord:
    """An audit record of the round; ``proof`` leads to its proof."""

    id: UUID
    action: str
    at: datetime
    in_log: bool
    proof: str


@dataclass(frozen=True, kw_only=True)
class EarlierAboutRound:
    """What there was about the round before."""

    cases: tuple[str, ...]
    disputes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class DisputeFinding:
    """What Sabot found; ``earlier`` is told to keys with disputes:decide."""

    finding: str
    sha256: str
    round: FoundRound
    status: str
    anomalies: tuple[str, ...]
    settlements: tuple[FoundSettlement, ...]
    replay: Replay
    bets: tuple[FoundBet, ...]
    readings: tuple[FoundReading, ...]
    records: tuple[FoundRecord, ...]
    earlier: EarlierAboutRound | None
