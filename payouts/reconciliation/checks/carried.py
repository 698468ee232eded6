"""Detached months: what they left behind, against the audit records of archive and detachment."""

from typing import Any, Final

from compliance.trail.queries import records_of
from payouts.carried_forward.detached_months import ARCHIVE, DETACHED, WRITTEN, DetachedMonth
from payouts.reconciliation.carried_sums import carried_sums, left_sha256
from payouts.reconciliation.checks.differences import (
    CheckResult,
    Difference,
    Kind,
    differing_members,
)
from payouts.reconciliation.checks.snapshot import fetch_rows

_OF_NO_MONTH: Final = """
    SELECT DISTINCT record_id
      FROM (SELECT record_id FROM payouts_carriedbalance
             UNION SELECT record_id FROM payouts_carriedday) AS carried
     WHERE NOT EXISTS (SELECT FROM trail_auditrecord WHERE id = record_id AND action = '{action}')
     ORDER BY record_id
"""


def check_carried_rows(result: CheckResult) -> None:
    """Checks that all sums belong to a month that is or was detached."""
    for (record_id,) in fetch_rows(_OF_NO_MONTH.format(action=DETACHED)):
        about = {"id": str(record_id)}
        result.add(Difference(Kind.UNKNOWN, about, {"rows": ["carried"]}, None))


def check_detached_month(month: DetachedMonth, result: CheckResult) -> None:
    """Checks the sums carried forward, and the names and rulings of rounds that stay.

    The owner of the tables records a detachment, the exporter the archive; the sums have to be
    those of both. ``verify_archive`` recomputes them from the files.
    """
    archive = _recorded_archive(month)
    found = {
        "carried": carried_sums(month.record_id).sha256,
        "archived": archive.get("carried_sha256"),
        "list": archive.get("list_sha256"),
        "left": left_sha256(month.keys, is_detached=True),
    }
    details = month.details
    expected = {
        "carried": details.get("carried_sha256"),
        "archived": details.get("carried_sha256"),
        "list": details.get("list_sha256"),
        "left": details.get("left_sha256"),
    }
    if different := differing_members(found, expected):
        result.add(Difference(Kind.CARRIED, {"month": str(month.month)}, *different))


def _recorded_archive(month: DetachedMonth) -> dict[str, Any]:
    """What is recorded of the archive in which the month is; empty without such a record."""
    number = month.details["archive"].removeprefix(f"{month.month}.")
    for record in records_of(f"{ARCHIVE}{month.month}").filter(action=WRITTEN):
        if str(record.details["number"]) == number:
            details: dict[str, Any] = record.details
            return details
    return {}
