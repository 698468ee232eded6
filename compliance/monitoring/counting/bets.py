"""What the bets of a day came to: money, outcomes, and what these say for each alternative."""

from collections import defaultdict
from datetime import date
from typing import Final

from django.db import connection

from compliance.monitoring.chances import bet_alternatives, watched_bets
from compliance.monitoring.counting.settled import SETTLED
from compliance.monitoring.evidence import logs_of_round
from compliance.monitoring.models import DailyEvidence, DailyOutcome, What
from compliance.trail.stretches import Stretch
from rounds.rules.blackjack.bets import MAIN

# Boxes first: however many bet on a box, it had one outcome. A main bet has none of its own, since
# who rides behind it may not follow its raises.
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
"""  # noqa: S608  our own names
_RETURNS: Final = f"""
    INSERT INTO monitoring_dailyreturn (day, table_id, rules, kind, rounds, bets, golden_bets,
           staked_cents, payout_cents, staked_squared, staked_by_payout, payout_squared)
    SELECT %s, table_id, rules, played.kind, count(*) FILTER (WHERE bets > 0),
           sum(bets), sum(golden_bets), sum(staked), sum(payout), sum(staked::numeric * staked),
           sum(staked::numeric * payout), sum(payout::numeric * payout)
      FROM monitoring_played AS played JOIN {SETTLED} USING (round_id)
     GROUP BY table_id, rules, played.kind
"""  # noqa: S608  our own names
_OUTCOMES: Final = f"""
    INSERT INTO monitoring_dailyoutcome (day, table_id, rules, kind, outcomes, rounds)
    SELECT %s, table_id, rules, played.kind, outcomes, count(*)
      FROM monitoring_played AS played JOIN {SETTLED} USING (round_id)
     WHERE outcomes IS NOT NULL
     GROUP BY table_id, rules, played.kind, outcomes
"""  # noqa: S608  our own names


def count_bets(day: date, keys: Stretch) -> None:
    """Adds the day's returns, outcomes, and evidence of bets."""
    played = _PLAYED.format(bets=keys.holds("bet.round_id"), paid=keys.holds("paid.round_id"))
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS monitoring_played")
        cursor.execute(played)
        cursor.execute(_RETURNS, [day])
        cursor.execute(_OUTCOMES, [day])
    _weigh_outcomes(day)


def _weigh_outcomes(day: date) -> None:
    """KeyError for an outcome that the certificate of a watched bet does not know."""
    found: defaultdict[tuple[int, str, str], list[DailyOutcome]] = defaultdict(list)
    for one in DailyOutcome.objects.filter(day=day):
        if one.kind in watched_bets(one.rules):
            found[one.table_id, one.rules, one.kind].append(one)
    DailyEvidence.objects.bulk_create(
        DailyEvidence(
            day=day,
            table_id=table_id,
            rules=rules,
            what=What.RETURN,
            kind=kind,
            rounds=sum(one.rounds for one in outcomes),
            logs=_logs_of(rules, kind, outcomes),
        )
        for (table_id, rules, kind), outcomes in found.items()
    )


def _logs_of(rules: str, kind: str, outcomes: list[DailyOutcome]) -> list[float]:
    alternatives = bet_alternatives(rules, kind)
    logs = [0.0] * len(alternatives)
    for one in outcomes:
        for place, said in enumerate(logs_of_round(alternatives, one.outcomes.split(" "))):
            logs[place] += one.rounds * said
    return logs
