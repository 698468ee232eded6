"""The gaming days to list."""

from datetime import date, timedelta
from typing import Any, Final, NamedTuple

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
     WHERE day {side} %(key)s
       AND day >= coalesce(%(first)s::date, day) AND day <= coalesce(%(last)s::date, day)
       AND (%(closed)s::boolean IS NULL
            OR EXISTS (SELECT FROM payouts_dayclosing AS closing WHERE closing.day = days.day)
               = %(closed)s)
     ORDER BY day {order} LIMIT %(most)s
"""
_RECENT: Final = timedelta(days=14)


class DayRange(NamedTuple):
    """Which days to list: from a day to a day, closed or open; None for all."""

    first: date | None = None
    last: date | None = None
    is_closed: bool | None = None


ALL_DAYS: Final = DayRange()


def days_listed(
    today: date, *, before: str = "", after: str = "", among: DayRange = ALL_DAYS, size: int = SIZE
) -> KeysetPage:
    """Closed days, open days with totals, and all recent days since the first round."""
    first_open = next_day_to_close()
    if first_open is None:
        return KeysetPage((), None, None)
    params: dict[str, Any] = {
        "open": first_open,
        "today": today,
        "recent": today - _RECENT,
        "most": size + 1,
    }
    params |= {"first": among.first, "last": among.last, "closed": among.is_closed}
    if newer_than := _key(after):
        newer_days = _days(params | {"key": newer_than}, side=">", order="ASC")
        days, more_newer, more_older = newer_days[:size][::-1], len(newer_days) > size, True
    else:
        older_than = _key(before)
        newer_days = _days(params | {"key": older_than or date.max}, side="<", order="DESC")
        days, more_newer, more_older = (
            newer_days[:size],
            older_than is not None,
            len(newer_days) > size,
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
