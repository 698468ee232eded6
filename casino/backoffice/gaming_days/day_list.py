"""The gaming days to list."""

from datetime import date, timedelta
from typing import Final

from casino.backoffice.site.keyset_paging import SIZE, KeysetPage
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.reconciliation.checks.snapshot import fetch_rows

# Days of the last two weeks are listed even without rounds: they must be closed like others.
_DAYS: Final = """
    SELECT day FROM (
        SELECT day FROM payouts_dayclosing
         UNION SELECT day FROM payouts_dailyrounds WHERE day >= %(open)s
         UNION SELECT %(open)s::date
         UNION SELECT generate_series(greatest(%(open)s::date, %(recent)s::date), %(today)s::date,
                                      interval '1 day')::date
    ) AS days
     WHERE day {side} %(key)s ORDER BY day {order} LIMIT %(most)s
"""
_RECENT: Final = timedelta(days=14)


def days_listed(today: date, *, before: str, after: str) -> KeysetPage:
    """Closed days, open days with totals, and all recent days since the first round."""
    first_open = next_day_to_close()
    if first_open is None:
        return KeysetPage((), None, None)
    params = {"open": first_open, "today": today, "recent": today - _RECENT, "most": SIZE + 1}
    if newer_than := _key(after):
        newer_days = _days(params | {"key": newer_than}, side=">", order="ASC")
        days, more_newer, more_older = newer_days[:SIZE][::-1], len(newer_days) > SIZE, True
    else:
        older_than = _key(before)
        newer_days = _days(params | {"key": older_than or date.max}, side="<", order="DESC")
        days, more_newer, more_older = (
            newer_days[:SIZE],
            older_than is not None,
            len(newer_days) > SIZE,
        )
    if not days:
        return KeysetPage((), None, None)
    return KeysetPage(
        days,
        days[0].isoformat() if more_newer else None,
        days[-1].isoformat() if more_older else None,
    )


def _days(params: dict[str, object], *, side: str, order: str) -> list[date]:
    return [day for (day,) in fetch_rows(_DAYS.format(side=side, order=order), params)]


def _key(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
