"""When a message may be sent, by the quiet hours of a person in Rome."""

from datetime import datetime, time, timedelta

from rounds.gaming_day import ROME


def end_of_quiet(at: datetime, *, begins_at: time, ends_at: time) -> datetime:
    """The end of the quiet hours that contain this time; the time itself outside of them.

    Hours that begin and end at the same time are none. The clock of Rome counts, also in the nights
    in which it is changed.
    """
    local = at.astimezone(ROME)
    now = local.time()
    if begins_at <= ends_at:
        if not begins_at <= now < ends_at:
            return at
        last = local.date()
    elif now >= begins_at:
        last = local.date() + timedelta(days=1)
    elif now < ends_at:
        last = local.date()
    else:
        return at
    return max(at, datetime.combine(last, ends_at, ROME).astimezone(at.tzinfo))
