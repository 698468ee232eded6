"""The stored verdicts of a round, against its audit records."""

from collections.abc import Sequence
from typing import Any, Final

from payouts.reconciliation.checks.audit_facts import RecordedFact, time_text
from payouts.reconciliation.checks.books import BookedVerdict
from payouts.reconciliation.checks.differences import (
    CheckResult,
    Kind,
    RoundName,
    differing_members,
)
from rounds.models import Validation

_BY_THE_RULES: Final = ("ROUND_RESETTLED", "ROUND_RULED")
"""Actions that validate a held round. A void does not."""


def compare_verdicts(
    name: RoundName,
    verdicts: Sequence[BookedVerdict],
    records: Sequence[RecordedFact],
    result: CheckResult,
) -> None:
    """Checks that each verdict is recorded once, with its time and actor."""
    needed = _recorded(records)
    if len(verdicts) != len(needed):
        counts = {"verdicts": len(verdicts)}, {"verdicts": len(needed)}
        result.add(name.differs(Kind.ON_RECORD, *counts))
        return
    for verdict, recorded in zip(verdicts, needed, strict=True):
        stored = {
            "verdict": verdict.sequence,
            "status": verdict.status,
            "anomalies": verdict.anomalies,
            "at": time_text(verdict.validated_at),
            "actor": verdict.actor,
        }
        if different := differing_members(stored, recorded):
            result.add(name.differs(Kind.ON_RECORD, *different))


def _recorded(records: Sequence[RecordedFact]) -> list[dict[str, Any]]:
    """The recorded verdicts: the first one, and the one that released a held round."""
    held = [record for record in records if record.action == "ROUND_HELD"]
    settled = [record for record in records if record.action == "ROUND_SETTLED"]
    resettled = sorted([row for row in records if row.action in _BY_THE_RULES], key=_settlement)
    status = Validation.Status.HELD.value
    verdicts = [(status, record.details.get("anomalies"), record) for record in held]
    validated = [*settled, *(resettled[:1] if held else [])]
    verdicts += [(Validation.Status.VALIDATED.value, [], record) for record in validated]
    return [
        {
            "verdict": number,
            "status": status,
            "anomalies": anomalies,
            "at": time_text(record.at),
            "actor": record.actor,
        }
        for number, (status, anomalies, record) in enumerate(verdicts, start=1)
    ]


def _settlement(record: RecordedFact) -> tuple[int, str]:
    """The sort key: the settlement's number, because clocks of hosts may differ."""
    number = record.text("settlement") or ""
    return len(number), number
