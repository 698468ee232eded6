"""Figures of an hour of play by dealer, shift and location."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from math import ceil
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.monitoring.latency import bucket_sql
from compliance.trail.key_ranges import KeyRange
from rounds.gaming_day import gaming_day_sql
from rounds.row_mapping import milliseconds_of
from rounds.rules.anomalies import EXTRA_CARD, ILLEGAL_PLAY, MISSING_CARD, SHOE_GAP, TOO_MANY_COPIES
from rounds.rules.catalogue import RULE_SETS
from rounds.search import first_id

HOUR: Final = timedelta(hours=1)
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
OF_DEALING: Final = (MISSING_CARD, EXTRA_CARD, ILLEGAL_PLAY, TOO_MANY_COPIES, SHOE_GAP)
"""Anomalies of what happened at the table; the others are about bets, equipment or delivery."""

_CORRECTIONS: Final = ("cards", "plays", "multipliers", "bonus", "no_bonus")
"""Fields of a stored ruling that correct facts (``Ruling.changes_facts``)."""


# One range of each index per hour, without a computation per row.
_HOURS: Final = """
    SELECT bounds.hour, arrived.number, settled.number, held.number
      FROM unnest(%(hours)s::timestamptz[], %(firsts)s::uuid[], %(ends)s::uuid[])
               AS bounds (hour, first_id, end_id)
     CROSS JOIN LATERAL (SELECT count(*) AS number FROM rounds_round
                          WHERE id >= first_id AND id < end_id) AS arrived
     CROSS JOIN LATERAL (SELECT count(*) AS number FROM payouts_settlement
                          WHERE round_id >= first_id AND round_id < end_id) AS settled
     CROSS JOIN LATERAL (SELECT count(*) AS number FROM rounds_validation
                          WHERE round_id >= first_id AND round_id < end_id
                            AND status = 'held') AS held
     WHERE arrived.number > 0
     ORDER BY bounds.hour
"""
# Days that were counted before there were figures by hour.
_WITHOUT_HOURS: Final = f"""
    SELECT day FROM (
        SELECT day FROM monitoring_countedday
        EXCEPT
        SELECT {gaming_day_sql("hour")} FROM monitoring_countedhour
    ) AS lacking
     ORDER BY day DESC LIMIT %s
"""
# A round directly after another with an error, at its table, has the same error. Bets are read for
# rule sets with golden chips only: their stakes are no money, and are stored nowhere else.
_DEALT: Final = f"""
    CREATE TEMPORARY TABLE monitoring_dealt ON COMMIT DROP AS
    SELECT *, is_wrong AND NOT coalesce(lag(is_wrong) OVER (
                  PARTITION BY table_id ORDER BY round_id), false) AS is_error
      FROM (
        SELECT round.id AS round_id, round.table_id, round.rules,
               coalesce(round.dealer, '') AS dealer, coalesce(round.shift, '') AS shift,
               coalesce(round.location, '') AS location, round.malfunction,
               latest.round_id IS NOT NULL AS is_settled,
               coalesce(latest.kind = 'void', false) AS is_void,
               held.round_id IS NOT NULL AS is_implausible,
               ruled.round_id IS NOT NULL AS is_corrected,
               round.malfunction OR coalesce(latest.kind = 'void', false)
                   OR held.round_id IS NOT NULL OR ruled.round_id IS NOT NULL AS is_wrong,
               coalesce(latest.staked_cents, 0) AS staked,
               coalesce(golden.cents, 0) AS staked_chips,
               coalesce(latest.payout_cents, 0) AS payout,
               coalesce(latest.chips_cents, 0) AS payout_chips,
               CASE WHEN first.round_id IS NOT NULL AND first.approved_by IS NULL
                    THEN {bucket_sql("first.settled_at - round.received_at")} END AS bucket
          FROM rounds_round AS round
          LEFT JOIN (SELECT DISTINCT ON (round_id) round_id, kind, staked_cents, payout_cents,
                            chips_cents
                       FROM payouts_settlement WHERE {{payouts_settlement}}
                      ORDER BY round_id, sequence DESC) AS latest ON latest.round_id = round.id
          LEFT JOIN (SELECT round_id, settled_at, approved_by FROM payouts_settlement
                      WHERE {{payouts_settlement}} AND sequence = 1) AS first
            ON first.round_id = round.id
          LEFT JOIN (SELECT DISTINCT round_id FROM rounds_validation
                      WHERE {{rounds_validation}} AND status = 'held'
                        AND anomalies::text[] && %(anomalies)s) AS held ON held.round_id = round.id
          LEFT JOIN (SELECT DISTINCT round_id FROM rounds_storedruling
                      WHERE {{rounds_storedruling}} AND said ?| %(corrections)s) AS ruled
            ON ruled.round_id = round.id
          LEFT JOIN (SELECT bet.round_id, sum(bet.stake_cents)::bigint AS cents
                       FROM rounds_round AS of_golden
                       JOIN rounds_bet AS bet ON bet.round_id = of_golden.id AND bet.golden
                      WHERE {{of_golden}} AND of_golden.rules = ANY(%(golden)s) AND {{bet}}
                      GROUP BY bet.round_id) AS golden
            ON golden.round_id = round.id AND latest.round_id IS NOT NULL
         WHERE {{round}}
      ) AS dealt
"""
_FIGURES: Final = """
    INSERT INTO monitoring_hourlydealing (hour, table_id, rules, dealer, shift, location, rounds,
           errors, error_rounds, malfunctions, void_rounds, implausible, corrected, settled_rounds,
           staked_cents, staked_chips_cents, payout_cents, payout_chips_cents)
    SELECT %s, table_id, rules, dealer, shift, location, count(*),
           count(*) FILTER (WHERE is_error), count(*) FILTER (WHERE is_wrong),
           count(*) FILTER (WHERE malfunction), count(*) FILTER (WHERE is_void),
           count(*) FILTER (WHERE is_implausible), count(*) FILTER (WHERE is_corrected),
           count(*) FILTER (WHERE is_settled),
           sum(staked), sum(staked_chips), sum(payout), sum(payout_chips)
      FROM monitoring_dealt
     GROUP BY table_id, rules, dealer, shift, location
"""
_LATENCY: Final = """
    INSERT INTO monitoring_hourlylatency (hour, table_id, rules, shift, bucket, rounds)
    SELECT %s, table_id, rules, shift, bucket, count(*)
      FROM monitoring_dealt WHERE bucket IS NOT NULL
     GROUP BY table_id, rules, shift, bucket
"""
_ERRORS: Final = """
    INSERT INTO monitoring_dealingerror (hour, round_id, table_id, rules, dealer, shift, location,
           malfunction, is_void, is_implausible, is_corrected)
    SELECT %s, round_id, table_id, rules, dealer, shift, location, malfunction, is_void,
           is_implausible, is_corrected
      FROM monitoring_dealt WHERE is_wrong
"""


class HourCounts(NamedTuple):
    """An hour with rounds, and what its figures have to include (``CountedHour``)."""

    hour: datetime
    rounds: int
    settlements: int
    held: int


def keys_of_hour(hour: datetime) -> KeyRange:
    """The range of the ids of rounds opened in an hour; the first one has those before 1970."""
    first = first_id(hour)
    return KeyRange(first, UUID(int=first.int + (milliseconds_of(_FIRST + HOUR) << 80)))


def hours_between(first: datetime, end: datetime) -> list[datetime]:
    """The hours in UTC of these times, from 1970 on."""
    start = max(first, _FIRST).astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return [start + number * HOUR for number in range(ceil((end - start) / HOUR))]


def hour_counts(hours: Sequence[datetime]) -> list[HourCounts]:
    """Those of these hours that have rounds."""
    ranges = [keys_of_hour(hour) for hour in hours]
    bounds: dict[str, list[Any]] = {
        "hours": list(hours),
        "firsts": [keys.first for keys in ranges],
        "ends": [keys.end for keys in ranges],
    }
    with connection.cursor() as cursor:
        cursor.execute(_HOURS, bounds)
        return [HourCounts(*row) for row in cursor.fetchall()]


def days_without_hours(most: int) -> list[date]:
    """The latest days of play that have figures by day but none by hour."""
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT_HOURS, [most])
        return [day for (day,) in cursor.fetchall()]


def write_figures(hour: datetime) -> None:
    """Stores the figures of an hour that has none."""
    keys = keys_of_hour(hour)
    parameters: dict[str, Any] = {
        "anomalies": list(OF_DEALING),
        "corrections": list(_CORRECTIONS),
        "golden": [name for name, rules in RULE_SETS.items() if rules.golden_kinds],
    }
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS monitoring_dealt")
        # Of ids above those that it knows PostgreSQL expects no rows, and would read each table
        # once more for every round: minutes for an hour of 700 rounds.
        cursor.execute("SET LOCAL enable_nestloop = off")
        cursor.execute(_DEALT.format(**_conditions(keys)), parameters)
        cursor.execute("SET LOCAL enable_nestloop = on")
        for statement in (_FIGURES, _LATENCY, _ERRORS):
            cursor.execute(statement, [hour])


def _conditions(keys: KeyRange) -> dict[str, str]:
    """The condition of each table on its column of round ids."""
    return {
        "round": keys.holds("round.id"),
        "of_golden": keys.holds("of_golden.id"),
        "bet": keys.holds("bet.round_id"),
        **{
            table: keys.holds("round_id")
            for table in ("payouts_settlement", "rounds_validation", "rounds_storedruling")
        },
    }
