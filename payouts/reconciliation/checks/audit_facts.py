"""The audit records of rounds."""

import json
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from payouts.reconciliation.checks.snapshot import fetch_rows

_RECORDS: Final = """
    SELECT subject, action, at, actor, details
      FROM trail_auditrecord
     WHERE subject = ANY(%(subjects)s)
       AND action IN ('ROUND_RECEIVED', 'ROUND_HELD', 'ROUND_SETTLED', 'ROUND_VOIDED',
                      'ROUND_RESETTLED', 'ROUND_RULED')
     ORDER BY id
"""


class RecordedFact(NamedTuple):
    """The audit record of a round's arrival, verdict or settlement."""

    action: str
    at: datetime
    actor: str
    details: dict[str, Any]
    """Empty if it is no JSON object, which the check of the record's leaf reports."""

    def text(self, name: str) -> str | None:
        """A member of the details as text; None if it is missing."""
        value = self.details.get(name)
        return None if value is None else str(value)


def records_of_rounds(subjects: Iterable[str]) -> dict[str, list[RecordedFact]]:
    """The records of arrivals, verdicts and settlements by subject, in order."""
    records: defaultdict[str, list[RecordedFact]] = defaultdict(list)
    for subject, action, at, actor, text in fetch_rows(_RECORDS, {"subjects": list(subjects)}):
        records[subject].append(RecordedFact(action, at, actor, _object(text)))
    return records


def time_text(at: datetime) -> str:
    """A time as text, in UTC."""
    return at.astimezone(UTC).isoformat()


def _object(text: str) -> dict[str, Any]:
    with suppress(ValueError):
        value = json.loads(text)
        if isinstance(value, dict):
            return value
    return {}
