"""Which gaming days there are to list."""

from datetime import date, timedelta
from typing import Final

from payouts.pages.paging import SIZE, KeysetPage
from payouts.reconciling.reading import rows_of
from payouts.services.close_day import next_day

# Days of the last two weeks stand there without a round, too: they have to be closed like others.
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
    """Closed days, open days with totals, and every day of late; none before the first round."""
    first_open = next_day()
    if first_open is None:
        return KeysetPage((), None, None)
    asked = {"open": first_open, "today": today, "recent": today - _RECENT, "most": SIZE + 1}
    if newer_than := _key(after):
        found = _days(asked | {"key": newer_than}, side=">", order="ASC")
        days, more_newer, more_older = found[:SIZE][::-1], len(found) > SIZE, True
    else:
        older_than = _key(before)
        found = _days(asked | {"key": older_than or date.max}, side="<", order="DESC")
        days, more_newer, more_older = found[:SIZE], older_than is not None, len(found) > SIZE
    if not days:
        return KeysetPage((), None, None)
    return KeysetPage(
        days,
        days[0].isoformat() if more_newer else None,
        days[-1].isoformat() if more_older else None,
    )


def _days(asked: dict[str, object], *, side: str, order: str) -> list[date]:
    return [day for (day,) in rows_of(_DAYS.format(side=side, order=order), asked)]


def _key(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
