"""Search for rounds by code, id or customer, always by an index."""

import re
from datetime import UTC, date, datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import BooleanField, F, Func, QuerySet

from rounds.models import Bet, Customer, Round, RoundName
from rounds.row_mapping import milliseconds_of

_GAME_CODE: Final = re.compile(
    r"#?\s*(?P<time>(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])"
    r"(?:\s+(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}/[0-9]{2}/[0-9]{4}))?"
)
_MOST: Final = 500

# One index lookup for the next day with rounds, one for the second of that day.
# The inner LIMIT keeps the planner from joining all days with all rounds.
_SAME_SECOND: Final = """
    WITH RECURSIVE played (day) AS (
        SELECT date_trunc('day', min(opened_at), 'UTC') FROM rounds_round
         UNION ALL
        SELECT (SELECT date_trunc('day', min(later.opened_at), 'UTC')
                  FROM rounds_round AS later
                 WHERE later.opened_at >= played.day + interval '1 day')
          FROM played
         WHERE played.day IS NOT NULL
    )
    SELECT matching.id
      FROM played
     CROSS JOIN LATERAL (
           SELECT round.id
             FROM rounds_round AS round
            WHERE round.opened_at >= played.day + %(time)s::interval
              AND round.opened_at < played.day + %(time)s::interval + interval '1 second'
            LIMIT %(most)s) AS matching
     ORDER BY matching.id DESC
     LIMIT %(most)s
"""


def matching_rounds(text: str, *, among: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds that match a search text, unordered.

    The text is a round's id, an AAMS session or participation id, a customer's pseudonym, or a
    game code (``#21:10:10``, GMT) with or without a date. A code without a date matches that second
    of every day, limited to the latest 500 rounds.
    """
    text = text.strip()
    code = _GAME_CODE.fullmatch(text)
    if code is not None:
        return _opened_in_second(code["time"], code["day"], among=among)
    ids: QuerySet[Any] = (
        RoundName.objects.filter(reference=text)
        .values("round_id")
        .union(
            Round.objects.filter(session=text).values("id"),
            Bet.objects.filter(participation=text).values("round_id"),
            Bet.objects.filter(customer__in=_customer_ids(text)).values("round_id"),
        )
    )
    return among.filter(EqualsAny(F("id"), ArraySubquery(ids)))


def detached_rounds(text: str) -> list[UUID]:
    """The round with this id of the studio, if it was received and its month left the database."""
    names = RoundName.objects.filter(reference=text.strip()).values_list("round_id", flat=True)
    return [round_id for round_id in names if not Round.objects.filter(pk=round_id).exists()]


class EqualsAny(Func):
    """``value = ANY(array)`` with the array evaluated first.

    The planner turns ``IN`` into a join that starts at the latest rounds and reads every round down
    to the match.
    """

    arg_joiner = " = ANY("
    template = "(%(expressions)s))"
    output_field = BooleanField()


def _customer_ids(pseudonym: str) -> list[int]:
    """Evaluated first, so that the planner knows that it is one customer."""
    return list(Customer.objects.filter(pseudonym=pseudonym).values_list("id", flat=True))


def _opened_in_second(time: str, day: str | None, *, among: QuerySet[Round]) -> QuerySet[Round]:
    if day is None:
        return among.filter(id__in=_ids_of_second(time))
    try:
        opened = datetime.fromisoformat(f"{_date(day)}T{time}").replace(tzinfo=UTC)
    except ValueError:  # the 31st of February, the year 0
        return among.none()
    return among.filter(opened_at__range=(opened, opened.replace(microsecond=999_999)))


def _date(day: str) -> date:
    if "/" not in day:
        return date.fromisoformat(day)
    of_month, month, year = map(int, day.split("/"))
    return date(year, month, of_month)


def _ids_of_second(time: str) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(_SAME_SECOND, {"time": time, "most": _MOST})
        return [round_id for (round_id,) in cursor.fetchall()]


def opened_from(moment: datetime, *, among: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds opened at this time or later."""
    return among.filter(id__gte=first_id(moment), opened_at__gte=moment)


def opened_before(moment: datetime, *, among: QuerySet[Round]) -> QuerySet[Round]:
    """The rounds opened before this time."""
    return among.filter(id__lt=end_id(moment), opened_at__lt=moment)


def first_id(moment: datetime) -> UUID:
    """The least possible id of rounds opened at this time or later (``rounds.identity``)."""
    return UUID(int=max(milliseconds_of(moment), 0) << 80)


def end_id(moment: datetime) -> UUID:
    """An upper bound of the ids of rounds opened before this time; not exact before 1970."""
    return UUID(int=max(milliseconds_of(moment), 1) << 80)
