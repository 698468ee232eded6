"""Daily figures of bets: money, outcomes, evidence for each alternative."""

from collections import defaultdict
from datetime import date
from typing import Final

from django.db import connection

from compliance.monitoring.counting.settled_rounds import SETTLED
from compliance.monitoring.models import DailyEvidence, DailyOutcome, What
from compliance.monitoring.statistics.chances import bet_alternatives, watched_bets
from compliance.monitoring.statistics.evidence import logs_of_round
from compliance.trail.key_ranges import KeyRange
from rounds.rules.blackjack.bets import MAIN

# Grouped by box first: a box has one outcome, however many bets. Main bets have none, because bets
# behind may not follow the raises.
_PLAYED: Final = f"""
    CREATE TEMPORARY TABLE monitoring_played ON COMMIT DROP AS
    SELECT round_id, kind, sum(bets)::bigint AS bets, sum(golden_bets)::bigint AS golden_bets,
           sum(staked)::bigint AS staked, sum(payout)::bigint AS payout,
           CASE WHEN kind <> '{MAIN}'
                THEN string_agg(outcome, ' ' ORDER BY outcome COLLATE "C") END AS outcomes
      FROM (
        SELECT bet.round_id, bet.kind, bet.box,
               count(*) FILTER (WHERE NOT bet.golden) AS bets,
               count(*) FILTER (WHERE bet.golden) AS golden_bets,
               coalesce(sum(bet.stake_cents + bet.raised_cents) FILTER (WHERE NOT bet.golden), 0)
                   AS staked,
               coalesce(sum(paid.payout_cents) FILTER (WHERE NOT bet.golden), 0) AS payout,
               min(paid.reasons[1] COLLATE "C") AS outcome
          FROM {SETTLED} AS settled
          JOIN rounds_bet AS bet ON bet.round_id = settled.round_id AND {{bets}}
          JOIN payouts_betsettlement AS paid
            ON paid.round_id = settled.round_id AND paid.sequence = settled.sequence
           AND paid.bet_number = bet.number AND {{paid}}
         WHERE settled.kind = 'settled' AND paid.outcome <> 'void'
         GROUP BY bet.round_id, bet.kind, bet.box
      ) AS box
     GROUP BY round_id, kind
"""
_RETURNS: Final = f"""
    INSERT INTO monitoring_dailyreturn (day, table_id, rules, kind, rounds, bets, golden_bets,
           staked_cents, payout_cents, staked_squared, staked_by_payout, payout_squared)
    SELECT %s, table_id, rules, played.kind, count(*) FILTER (WHERE bets > 0),
           sum(bets), sum(golden_bets), sum(staked), sum(payout), sum(staked::numeric * staked),
           sum(staked::numeric * payout), sum(payout::numeric * payout)
      FROM monitoring_played AS played JOIN {SETTLED} USING (round_id)
     GROUP BY table_id, rules, played.kind
"""
_OUTCOMES: Final = f"""
    INSERT INTO monitoring_dailyoutcome (day, table_id, rules, kind, outcomes, rounds)
    SELECT %s, table_id, rules, played.kind, outcomes, count(*)
      FROM monitoring_played AS played JOIN {SETTLED} USING (round_id)
     WHERE outcomes IS NOT NULL
     GROUP BY table_id, rules, played.kind, outcomes
"""


def count_bets(day: date, keys: KeyRange) -> None:
    """Stores the day's returns, outcomes and evidence of bets."""
    played = _PLAYED.format(bets=keys.holds("bet.round_id"), paid=keys.holds("paid.round_id"))
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS monitoring_played")
        cursor.execute(played)
        cursor.execute(_RETURNS, [day])
        cursor.execute(_OUTCOMES, [day])
    _weigh_outcomes(day)


def _weigh_outcomes(day: date) -> None:
    """Raises KeyError for an outcome that the certificate of a watched bet does not have."""
    by_bet: defaultdict[tuple[int, str, str], list[DailyOutcome]] = defaultdict(list)
    for outcome in DailyOutcome.objects.filter(day=day):
        if outcome.kind in watched_bets(outcome.rules):
            by_bet[outcome.table_id, outcome.rules, outcome.kind].append(outcome)
    DailyEvidence.objects.bulk_create(
        DailyEvidence(
            day=day,
            table_id=table_id,
            rules=rules,
            what=What.RETURN,
            kind=kind,
            rounds=sum(outcome.rounds for outcome in outcomes),
            logs=_logs_of(rules, kind, outcomes),
        )
        for (table_id, rules, kind), outcomes in by_bet.items()
    )


def _logs_of(rules: str, kind: str, outcomes: list[DailyOutcome]) -> list[float]:
    alternatives = bet_alternatives(rules, kind)
    logs = [0.0] * len(alternatives)
    for outcome in outcomes:
        for place, log in enumerate(logs_of_round(alternatives, outcome.outcomes.split(" "))):
            logs[place] += outcome.rounds * log
    return logs
