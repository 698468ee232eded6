"""What the audit trail says of rounds."""

import json
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from payouts.reconciling.reading import rows_of

_RECORDS: Final = """
    SELECT subject, action, at, actor, details
      FROM trail_auditrecord
     WHERE subject = ANY(%(subjects)s)
       AND action IN ('ROUND_RECEIVED', 'ROUND_HELD', 'ROUND_SETTLED', 'ROUND_VOIDED',
                      'ROUND_RESETTLED', 'ROUND_RULED')
     ORDER BY id
"""


class Told(NamedTuple):
    """A record of a round's arrival, verdict or settlement."""

    action: str
    at: datetime
    actor: str
    details: dict[str, Any]
    """Empty where it was made no JSON object, which the record's leaf tells."""

    def text(self, name: str) -> str | None:
        """A member of the details as text; None where there is none."""
        value = self.details.get(name)
        return None if value is None else str(value)


def records_of_rounds(subjects: Iterable[str]) -> dict[str, list[Told]]:
    """By subject all that was recorded of its arrival and what was decided, in order."""
    told: defaultdict[str, list[Told]] = defaultdict(list)
    for subject, action, at, actor, text in rows_of(_RECORDS, {"subjects": list(subjects)}):
        told[subject].append(Told(action, at, actor, _object(text)))
    return told


def moment_words(at: datetime) -> str:
    """A time as differences name it."""
    return at.astimezone(UTC).isoformat()


def _object(text: str) -> dict[str, Any]:
    with suppress(ValueError):
        found = json.loads(text)
        if isinstance(found, dict):
            return found
    return {}
