"""Closed days: whether what is booked on them still comes to what was put on record."""

import json
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any, Final

from payouts.closing.booked import booked_on
from payouts.closing.control import control_totals, digest_of
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of

_CLOSED: Final = """
    SELECT day, closed.day IS NOT NULL, closing.totals, closing.digest, closing.closed_at,
           closing.actor, closing.actor_user_id, closing.run_id,
           record.details, record.at, record.actor, record.actor_user_id
      FROM rounds_closedday AS closed
      FULL JOIN payouts_dayclosing AS closing USING (day)
      LEFT JOIN LATERAL (
           SELECT details, at, actor, actor_user_id FROM trail_auditrecord
            WHERE subject = 'day:' || day AND action = 'DAY_CLOSED' ORDER BY id LIMIT 1
           ) AS record ON true
     WHERE {day} ORDER BY 1
"""


def check_closings(day_holds: str, found: Found) -> None:
    """Each closed day against its audit record, and its totals worked out anew.

    ``day_holds`` is SQL: whether ``day`` is one of those to look at.
    """
    for day, *row in rows_of(_CLOSED.format(day=day_holds)):
        kept, expected = _kept(row), _expected(day, row)
        other = [name for name in expected if kept[name] != expected[name]]
        if other:
            found.add(
                Difference(
                    Kind.DAY_CLOSED,
                    {"day": day.isoformat()},
                    {name: kept[name] for name in other},
                    {name: expected[name] for name in other},
                )
            )


def _kept(row: list[Any]) -> dict[str, Any]:
    """What the closing says, and the digest that is on record."""
    is_closed, totals, digest, closed_at, actor, user, run = row[:7]
    return {
        "closed": is_closed,
        "closing": None if digest is None else bytes(digest).hex(),
        "totals": None if totals is None else digest_of(json.loads(totals)).hex(),
        "on_record": _detail(row[7], "digest"),
        "at": _moment(closed_at),
        "actor": actor,
        "user": user,
        "reconciliation": run,
    }


def _expected(day: date, row: list[Any]) -> dict[str, Any]:
    """What follows from the bookings of the day, and from its record."""
    details, at, actor, user = row[7:]
    made = digest_of(control_totals(day, booked_on(day))).hex()
    return {
        "closed": True,
        "closing": made,
        "totals": made,
        "on_record": made,
        "at": _moment(at),
        "actor": actor,
        "user": user,
        "reconciliation": _detail(details, "reconciliation"),
    }


def _detail(details: str | None, name: str) -> Any:  # noqa: ANN401  JSON
    """What a record says; nothing where it was made no JSON, which its leaf tells."""
    with suppress(ValueError, TypeError, KeyError):
        return json.loads(details or "")[name]
    return None


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()
