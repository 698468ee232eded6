"""Days to recount, and the latest settlements of the rounds of a day."""

from datetime import date
from typing import Final

from django.db import connection
from django.db.models import Max

from compliance.monitoring.models import CountedBooks, CountedDay
from compliance.trail.key_ranges import KeyRange
from payouts.reconciliation.checks.days import Days
from rounds.gaming_day import gaming_day_of_id_sql
from rounds.models import ClosedDay

SETTLED: Final = "monitoring_settled"
"""Temporary table of a day's settled and void rounds, dropped on commit."""

# Settlements are append-only: equal counts mean the same settlements.
_CHANGED: Final = f"""
    SELECT DISTINCT day FROM (
        SELECT {gaming_day_of_id_sql("round_id")} AS day, booked_on, count(*) AS settlements
          FROM payouts_settlement WHERE booked_on > %s GROUP BY 1, 2
        EXCEPT
        SELECT day, booked_on, settlements FROM monitoring_countedday
    ) AS changed
     ORDER BY day
"""
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


def last_closed_day() -> date | None:
    """The last closed day; nothing is booked on it or before."""
    last: date | None = ClosedDay.objects.aggregate(last=Max("day"))["last"]
    return last


def changed_days() -> list[date]:
    """Days of play with settlements missing in the figures, earliest first."""
    counted = CountedBooks.objects.aggregate(last=Max("booked_on"))["last"]
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [counted or date.min])
        return [day for (day,) in cursor.fetchall()]


def settlement_counts(keys: KeyRange) -> dict[date, int]:
    """Number of settlements of these rounds, by booking day."""
    with connection.cursor() as cursor:
        cursor.execute(_BOOKED.format(keys=keys.holds("round_id")))
        return dict(cursor.fetchall())


def is_counted(day: date, settlements: dict[date, int]) -> bool:
    """Whether the figures of the day include exactly these settlements."""
    counted = CountedDay.objects.filter(day=day).values_list("booked_on", "settlements")
    return dict(counted) == settlements


def create_settled_table(keys: KeyRange) -> None:
    """Fills ``SETTLED`` with the latest settlements of these rounds."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {SETTLED}")
        cursor.execute(
            _SETTLED.format(
                name=SETTLED, keys=keys.holds("round_id"), round_keys=keys.holds("round.id")
            )
        )
        cursor.execute(f"ANALYZE {SETTLED}")


def keys_of(day: date) -> KeyRange:
    """The range of round ids of a day of play."""
    return Days(day, day).keys
