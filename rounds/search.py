"""Finding rounds by what a person has in hand: a code, an id, a customer. Always by an index."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from rounds.models import Bet, Customer, Round

_GAME_CODE: Final = re.compile(
    r"#?\s*(?P<time>[0-2]\d:[0-5]\d:[0-5]\d)(?:\s+(?P<day>\d{4}-\d\d-\d\d|\d\d/\d\d/\d{4}))?"
)
_SECOND: Final = timedelta(seconds=1)
_MOST: Final = 500

# One look into the index of opening times for each day that was played.
_SAME_SECOND: Final = """
    SELECT round.id
      FROM generate_series(
             (SELECT date_trunc('day', min(opened_at), 'UTC') FROM rounds_round),
             (SELECT max(opened_at) FROM rounds_round),
             interval '1 day') AS day
      JOIN rounds_round AS round
        ON round.opened_at >= day + %(time)s::interval
       AND round.opened_at < day + %(time)s::interval + interval '1 second'
     ORDER BY round.id DESC
     LIMIT %(most)s
"""


def rounds_found(text: str) -> QuerySet[Round]:
    """The rounds that a person means by this text, in no order.

    The text is a round's id, an AAMS session or participation id, a customer's pseudonym, or a
    game code (``#21:10:10``, GMT) with or without its date. A code without a date is one second
    of every day; the latest 500 rounds of such seconds are given.
    """
    text = text.strip()
    code = _GAME_CODE.fullmatch(text)
    if code is not None:
        return _rounds_of_second(code["time"], code["day"])
    ids = (
        Round.objects.filter(reference=text)
        .values("id")
        .union(
            Round.objects.filter(session=text).values("id"),
            Bet.objects.filter(participation=text).values("round_id"),
            Bet.objects.filter(customer__in=_customer_ids(text)).values("round_id"),
        )
    )
    return Round.objects.filter(id__in=ids)


def _customer_ids(pseudonym: str) -> list[int]:
    """Looked up first: the planner then knows that it is one customer."""
    return list(Customer.objects.filter(pseudonym=pseudonym).values_list("id", flat=True))


def _rounds_of_second(time: str, day: str | None) -> QuerySet[Round]:
    if day is None:
        return Round.objects.filter(id__in=_ids_of_second(time))
    try:
        opened = datetime.fromisoformat(f"{_date(day)}T{time}").replace(tzinfo=UTC)
    except ValueError:  # the 31st of February, or 25 o'clock
        return Round.objects.none()
    return Round.objects.filter(opened_at__gte=opened, opened_at__lt=opened + _SECOND)


def _date(day: str) -> date:
    if "/" not in day:
        return date.fromisoformat(day)
    of_month, month, year = map(int, day.split("/"))
    return date(year, month, of_month)


def _ids_of_second(time: str) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(_SAME_SECOND, {"time": time, "most": _MOST})
        return [round_id for (round_id,) in cursor.fetchall()]


def first_id_at(moment: datetime) -> UUID:
    """No round that opened at the moment or later has a smaller id (``rounds.identity``)."""
    milliseconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    return UUID(int=milliseconds << 80)
