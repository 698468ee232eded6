"""Closed days, against their audit records and their bookings."""

import json
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any, Final

from payouts.reconciliation.bookings import booked_on
from payouts.reconciliation.checks.differences import (
    CheckResult,
    Difference,
    Kind,
    differing_members,
)
from payouts.reconciliation.checks.snapshot import fetch_rows
from payouts.reconciliation.control_totals import control_totals, digest_of

_CLOSED: Final = """
    SELECT day, closed.day IS NOT NULL, closing.totals, closing.digest, closing.closed_at,
           closing.actor, closing.actor_user_id, closing.run_id,
           record.details, record.at, record.actor, record.actor_user_id
      FROM rounds_closedday AS closed
      FULL JOIN payouts_dayclosing AS closing USING (day)
      LEFT JOIN LATERAL (
           SELECT details, at, actor, actor_user_id FROM trail_auditrecord
            WHERE subject = 'day:' || day AND action IN ('DAY_CLOSED', 'DAY_CLOSED_BY_SIGNATURE')
            ORDER BY id LIMIT 1
           ) AS record ON true
     WHERE {day} ORDER BY 1
"""


def check_closings(day_holds: str, result: CheckResult) -> None:
    """Checks each closed day against its audit record and its recomputed totals.

    ``day_holds`` is SQL: whether ``day`` is to be checked.
    """
    for day, *row in fetch_rows(_CLOSED.format(day=day_holds)):
        if different := differing_members(_stored(row), _expected(day, row)):
            result.add(Difference(Kind.DAY_CLOSED, {"day": day.isoformat()}, *different))


def _stored(row: list[Any]) -> dict[str, Any]:
    """The stored closing, with the recorded digest."""
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
    """The closing as it follows from the bookings and the audit record."""
    details, at, actor, user = row[7:]
    recomputed = digest_of(control_totals(day, booked_on(day))).hex()
    return {
        "closed": True,
        "closing": recomputed,
        "totals": recomputed,
        "on_record": recomputed,
        "at": _moment(at),
        "actor": actor,
        "user": user,
        "reconciliation": _detail(details, "reconciliation"),
    }


def _detail(details: str | None, name: str) -> Any:
    """A member of a record; None if it is no JSON, which the check of its leaf reports."""
    with suppress(ValueError, TypeError, KeyError):
        return json.loads(details or "")[name]
    return None


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()
