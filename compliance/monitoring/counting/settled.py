"""Which days have to be counted anew, and the rounds of one as their latest settlements stand."""

from datetime import date
from typing import Final

from django.db import connection
from django.db.models import Max

from compliance.monitoring.models import CountedBooks, CountedDay
from compliance.trail.stretches import Stretch
from payouts.reconciling.days import Days
from rounds.models import ClosedDay

SETTLED: Final = "monitoring_settled"
"""The table, for the current transaction alone, of a day's rounds that are settled or void."""

_DAY_OF_PLAY: Final = """
    LEAST((to_timestamp(('x' || left(replace(round_id::text, '-', ''), 12))::bit(48)::bigint
                        / 1000.0) AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')
"""
# Settlements are only ever added: where there are as many as were counted, they are the same.
_CHANGED: Final = f"""
    SELECT DISTINCT day FROM (
        SELECT {_DAY_OF_PLAY} AS day, booked_on, count(*) AS settlements
          FROM payouts_settlement WHERE booked_on > %s GROUP BY 1, 2
        EXCEPT
        SELECT day, booked_on, settlements FROM monitoring_countedday
    ) AS changed
     ORDER BY day
"""  # noqa: S608  no text from outside
_BOOKED: Final = """
    SELECT booked_on, count(*) FROM payouts_settlement WHERE {keys} GROUP BY booked_on
"""
_SETTLED: Final = """
    CREATE TEMPORARY TABLE {name} ON COMMIT DROP AS
    SELECT latest.*, round.table_id, round.rules
      FROM (SELECT DISTINCT ON (round_id) round_id, sequence, kind, staked_cents, payout_cents,
                   bonus
              FROM payouts_settlement
             WHERE {keys}
             ORDER BY round_id, sequence DESC) AS latest
      JOIN rounds_round AS round ON round.id = latest.round_id AND {round_keys}
"""


def final_until() -> date | None:
    """The last day whose books are closed; on it and before nothing is booked any more."""
    last: date | None = ClosedDay.objects.aggregate(last=Max("day"))["last"]
    return last


def changed_days() -> list[date]:
    """Days of play with settlements that are not in the figures, the earliest first."""
    counted = CountedBooks.objects.aggregate(last=Max("booked_on"))["last"]
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [counted or date.min])
        return [day for (day,) in cursor.fetchall()]


def settlements_of(keys: Stretch) -> dict[date, int]:
    """How many settlements these rounds have, by the day on which they are booked."""
    with connection.cursor() as cursor:
        cursor.execute(_BOOKED.format(keys=keys.holds("round_id")))
        return dict(cursor.fetchall())


def is_counted(day: date, settlements: dict[date, int]) -> bool:
    """Whether the figures of the day hold exactly these."""
    counted = CountedDay.objects.filter(day=day).values_list("booked_on", "settlements")
    return dict(counted) == settlements


def take_settled(keys: Stretch) -> None:
    """Puts the latest settlements of these rounds into ``SETTLED``."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {SETTLED}")
        cursor.execute(
            _SETTLED.format(
                name=SETTLED, keys=keys.holds("round_id"), round_keys=keys.holds("round.id")
            )
        )
        cursor.execute(f"ANALYZE {SETTLED}")


def keys_of(day: date) -> Stretch:
    """The ids of the rounds of a day of play."""
    return Days(day, day).keys
