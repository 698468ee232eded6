"""Decisions: settlements before they are written."""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from compliance.storage.copy_rows import copy_lines
from compliance.storage.copy_text import NULL, escaped, moment, octets
from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from payouts.settlement.daily_totals import Sums, TotalKey
from payouts.settlement.models import Settlement
from payouts.settlement.results_digest import digest_of, result_lines
from rounds.gaming_day import gaming_day
from rounds.rule_inputs import RoundToJudge
from rounds.rules.money import format_cents
from rounds.rules.verdict import VOID, Verdict

_COLUMNS: Final = (
    "round_id",
    "sequence",
    "kind",
    "rules",
    "rules_digest",
    "staked_cents",
    "payout_cents",
    "chips_cents",
    "bonus",
    "results_digest",
    "settled_at",
    "actor",
    "approved_by",
    "reason",
    "booked_on",
)


class Decision(NamedTuple):
    """The settlement of a round by a verdict, before it is written."""

    stored: RoundToJudge
    verdict: Verdict
    sequence: int
    results: list[str]
    """The result of each bet (``result_lines``)."""
    results_digest: bytes
    sums: Sums
    booked_on: date
    """The booking day."""

    @property
    def total_key(self) -> TotalKey:
        """The key of its daily totals."""
        return TotalKey(self.booked_on, self.stored.table_id, self.stored.dealt.rules)

    @property
    def is_void(self) -> bool:
        """Whether every bet is void."""
        return self.verdict.status == VOID

    @property
    def kind(self) -> str:
        """The kind of the settlement."""
        return (Settlement.Kind.VOID if self.is_void else Settlement.Kind.SETTLED).value


def decide(stored: RoundToJudge, verdict: Verdict, *, sequence: int, booked_on: date) -> Decision:
    """The decision of a verdict that has a grade for each bet."""
    results = result_lines(verdict.grades)
    return Decision(
        stored,
        verdict,
        sequence,
        results,
        digest_of(results),
        Sums(stored.dealt.bets, verdict.grades),
        booked_on,
    )


def insert_settlements(
    decisions: Sequence[Decision],
    *,
    at: datetime,
    actor: Actor,
    approved_by: str | None = None,
    reason: str = "",
) -> None:
    """Writes the settlements, after their bet results and transfers.

    Raises IntegrityError if a settlement with the sequence exists, if bet results or transfers
    disagree with the settlement, or if its booking day is closed.
    """
    approver = NULL if approved_by is None else escaped(approved_by)
    decided_by = f"\t{moment(at)}\t{escaped(actor.name)}\t{approver}\t{escaped(reason)}\t"
    copy_lines(
        Settlement,
        _COLUMNS,
        (f"{_line(decision)}{decided_by}{decision.booked_on}\n" for decision in decisions),
    )


def _line(decision: Decision) -> str:
    stored, bonus, sums = decision.stored, decision.verdict.bonus, decision.sums
    played = NULL if bonus is None else escaped(json.dumps(bonus._asdict()))
    return (
        f"{stored.id.hex}\t{decision.sequence}\t{decision.kind}\t{stored.dealt.rules}"
        f"\t{octets(stored.rules_digest)}\t{sums.staked_cents}\t{sums.payout_cents}"
        f"\t{sums.payout_chips_cents}\t{played}\t{octets(decision.results_digest)}"
    )


def settled_entry(decision: Decision) -> Entry:
    """The audit record of a settlement. It names the booking day if that is not the day of play."""
    stored = decision.stored
    details: dict[str, Any] = {
        "settlement": decision.sequence,
        "kind": decision.kind,
        "rules": stored.dealt.rules,
        "rules_digest": stored.rules_digest.hex(),
        "results_digest": decision.results_digest.hex(),
        "bets": len(decision.results),
        "staked": format_cents(decision.sums.staked_cents),
        "paid": format_cents(decision.sums.payout_cents),
    }
    if decision.booked_on != gaming_day(stored.dealt.opened_at):
        details["booked_on"] = decision.booked_on.isoformat()
    return Entry("ROUND_SETTLED", f"round:{stored.dealt.round}", details)
