"""Closed days: whether what is booked on them still comes to what was put on record."""

import json
from contextlib import suppress
from datetime import date
from typing import Any, Final

from payouts.closing.booked import booked_on
from payouts.closing.control import control_totals, digest_of
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of

# The record is found by its subject; the closing has the same totals and the digest over them.
_CLOSED: Final = """
    SELECT day, closing.totals, closing.digest,
           (SELECT details FROM trail_auditrecord
             WHERE subject = 'day:' || day AND action = 'DAY_CLOSED'
             ORDER BY id LIMIT 1)
      FROM rounds_closedday AS closed FULL JOIN payouts_dayclosing AS closing USING (day)
     WHERE {day} ORDER BY 1
"""


def check_closings(day_holds: str, found: Found) -> None:
    """Each closed day by its digest: on record, in the closing, and worked out anew.

    ``day_holds`` is SQL: whether ``day`` is one of those to look at.
    """
    for day, told, stored, details in rows_of(_CLOSED.format(day=day_holds)):
        totals = None if told is None else json.loads(told)
        made = {"digest": digest_of(control_totals(day, booked_on(day))).hex()}
        kept = {
            "closing": None if stored is None else bytes(stored).hex(),
            "totals": None if totals is None else digest_of(totals).hex(),
            "on_record": _recorded(details),
        }
        if set(kept.values()) != {made["digest"]}:
            found.add(_difference(day, kept, made["digest"]))


def _recorded(details: str | None) -> str | None:
    """The digest that a record tells; none where it was made no JSON, which its leaf tells."""
    with suppress(ValueError, TypeError, KeyError):
        return str(json.loads(details or "")["digest"])
    return None


def _difference(day: date, kept: dict[str, Any], made: str) -> Difference:
    other = {name: digest for name, digest in kept.items() if digest != made}
    about = {"day": day.isoformat()}
    return Difference(Kind.DAY_CLOSED, about, other, dict.fromkeys(other, made))
