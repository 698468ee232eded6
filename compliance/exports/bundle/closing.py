"""The closings of days: what the bundle of closed days proves by the audit trail."""

from typing import Any, Final

from compliance.exports.scope import Snapshot
from compliance.trail.proofs import prove_record
from compliance.trail.queries import records_of

_CLOSED: Final = """
    SELECT day FROM payouts_dayclosing WHERE day BETWEEN %(first_day)s AND %(last_day)s
"""


def proofs_of_closing(snapshot: Snapshot) -> list[dict[str, Any]] | None:
    """That each day's closing, with its control totals, is in the signed log.

    None while one of the days is open. The same at any time. Raises NotInLog while the log has not
    got a record yet.
    """
    if len(snapshot.rows(_CLOSED)) < len(snapshot.of.days):
        return None
    closings = (
        records_of(f"day:{day}").filter(action="DAY_CLOSED").first() for day in snapshot.of.days
    )
    return [prove_record(one.id) for one in closings if one is not None]
