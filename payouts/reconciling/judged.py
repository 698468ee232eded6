"""The stored verdicts of a round against what is on record: held, settled, read anew."""

from collections.abc import Sequence
from typing import Any, Final

from payouts.reconciling.books import BookedVerdict
from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.told import Told, moment_words
from rounds.models import Validation

_BY_THE_RULES: Final = ("ROUND_RESETTLED", "ROUND_RULED")
"""What validates a round that was held; a void does not."""


def compare_verdicts(
    name: RoundName, verdicts: Sequence[BookedVerdict], records: Sequence[Told], found: Found
) -> None:
    """That each verdict is stored once, with its time and whoever asked the rules."""
    needed = _recorded(records)
    if len(verdicts) != len(needed):
        counts = {"verdicts": len(verdicts)}, {"verdicts": len(needed)}
        found.add(name.differs(Kind.ON_RECORD, *counts))
        return
    for verdict, recorded in zip(verdicts, needed, strict=True):
        stored = {
            "verdict": verdict.sequence,
            "status": verdict.status,
            "anomalies": verdict.anomalies,
            "at": moment_words(verdict.validated_at),
            "actor": verdict.actor,
        }
        other = [member for member, value in recorded.items() if stored[member] != value]
        if other:
            found.add(
                name.differs(
                    Kind.ON_RECORD,
                    {member: stored[member] for member in other},
                    {member: recorded[member] for member in other},
                )
            )


def _recorded(records: Sequence[Told]) -> list[dict[str, Any]]:
    """What the records make of it: the first verdict, and the one that ended its being held."""
    held = [one for one in records if one.action == "ROUND_HELD"]
    settled = [one for one in records if one.action == "ROUND_SETTLED"]
    again = sorted([one for one in records if one.action in _BY_THE_RULES], key=_settlement)
    told = [(Validation.Status.HELD.value, one.details.get("anomalies"), one) for one in held]
    validated = [*settled, *(again[:1] if held else [])]
    told += [(Validation.Status.VALIDATED.value, [], one) for one in validated]
    return [
        {
            "verdict": number,
            "status": status,
            "anomalies": anomalies,
            "at": moment_words(record.at),
            "actor": record.actor,
        }
        for number, (status, anomalies, record) in enumerate(told, start=1)
    ]


def _settlement(record: Told) -> tuple[int, str]:
    """Orders the records of settlements by their numbers: the clocks of two hosts may differ."""
    number = record.text("settlement") or ""
    return len(number), number
