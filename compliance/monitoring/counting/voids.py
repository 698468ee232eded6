"""How a day's rounds went for the house, and how those would have that were made void."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.monitoring.counting.settled import SETTLED
from compliance.monitoring.models import DailyVoids
from rounds.judging import RoundToJudge, rounds_to_judge
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD
from rounds.services.validate import RulesChangedError, judge_round

_AS_IF_NOTHING_BROKE: Final = Ruling(malfunction=False, as_dealt=True)
_PORTION: Final = 500
_ROUNDS: Final = f"""
    SELECT table_id, rules, count(*) FILTER (WHERE kind = 'settled'),
           count(*) FILTER (WHERE kind = 'settled' AND payout_cents < staked_cents),
           count(*) FILTER (WHERE kind = 'settled' AND payout_cents > staked_cents),
           count(*) FILTER (WHERE kind = 'void')
      FROM {SETTLED} WHERE staked_cents > 0 GROUP BY table_id, rules
"""  # noqa: S608  our own names
_VOID: Final = f"""
    SELECT round_id FROM {SETTLED} WHERE kind = 'void' AND staked_cents > 0 ORDER BY round_id
"""  # noqa: S608  our own names


class Spared(NamedTuple):
    """What a void round staked, and what it would have paid; in cents."""

    table_id: int
    rules: str
    staked_cents: int
    payout_cents: int


def count_voids(day: date) -> None:
    """Adds how the day's rounds went, and how its void rounds would have gone."""
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS)
        rounds = cursor.fetchall()
        cursor.execute(_VOID)
        void = [round_id for (round_id,) in cursor.fetchall()]
    spared: defaultdict[tuple[int, str], list[Spared]] = defaultdict(list)
    for first in range(0, len(void), _PORTION):
        for one in _spared(void[first : first + _PORTION]):
            spared[one.table_id, one.rules].append(one)
    DailyVoids.objects.bulk_create(
        _row(day, row, spared[row[0], row[1]], row[2:]) for row in rounds
    )


def _row(
    day: date, key: tuple[int, str], spared: Sequence[Spared], counts: Sequence[int]
) -> DailyVoids:
    table_id, rules = key[:2]
    settled, won, lost, void = counts
    return DailyVoids(
        day=day,
        table_id=table_id,
        rules=rules,
        rounds=settled,
        house_won=won,
        house_lost=lost,
        void_rounds=void,
        void_not_judged=void - len(spared),
        void_house_won=sum(one.payout_cents < one.staked_cents for one in spared),
        void_house_lost=sum(one.payout_cents > one.staked_cents for one in spared),
        void_staked_cents=sum(one.staked_cents for one in spared),
        void_payout_cents=sum(one.payout_cents for one in spared),
    )


def _spared(round_ids: Sequence[UUID]) -> Iterator[Spared]:
    """Those of these rounds whose cards say what they would have paid."""
    for stored in rounds_to_judge(round_ids):
        payout_cents = _payout_of(stored)
        if payout_cents is not None:
            bets = stored.dealt.bets
            staked_cents = sum(bet.stake_cents + bet.raised_cents for bet in bets)
            yield Spared(stored.table_id, stored.dealt.rules, staked_cents, payout_cents)


def _payout_of(stored: RoundToJudge) -> int | None:
    try:
        verdict = judge_round(stored, _AS_IF_NOTHING_BROKE)
    except RulesChangedError:
        return None
    if verdict.status == HELD:
        return None
    return sum(grade.payout_cents for grade in verdict.grades)
