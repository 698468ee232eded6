"""Daily results for the house, and hypothetical results of void rounds."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.monitoring.counting.settled_rounds import SETTLED
from compliance.monitoring.models import DailyVoids
from rounds.rule_inputs import RoundToJudge, rounds_to_judge
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD
from rounds.services.validate import RulesChangedError, judge_round

_NO_MALFUNCTION: Final = Ruling(malfunction=False, as_dealt=True)
_PORTION: Final = 500
_ROUNDS: Final = f"""
    SELECT table_id, rules, count(*) FILTER (WHERE kind = 'settled'),
           count(*) FILTER (WHERE kind = 'settled' AND payout_cents < staked_cents),
           count(*) FILTER (WHERE kind = 'settled' AND payout_cents > staked_cents),
           count(*) FILTER (WHERE kind = 'void')
      FROM {SETTLED} WHERE staked_cents > 0 GROUP BY table_id, rules
"""
_VOID: Final = f"""
    SELECT round_id FROM {SETTLED} WHERE kind = 'void' AND staked_cents > 0 ORDER BY round_id
"""


class VoidPayout(NamedTuple):
    """Stake and hypothetical payout of a void round, in cents."""

    table_id: int
    rules: str
    staked_cents: int
    payout_cents: int


def count_voids(day: date) -> None:
    """Stores the day's results and the hypothetical results of its void rounds."""
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS)
        rounds = cursor.fetchall()
        cursor.execute(_VOID)
        void = [round_id for (round_id,) in cursor.fetchall()]
    void_payouts: defaultdict[tuple[int, str], list[VoidPayout]] = defaultdict(list)
    for first in range(0, len(void), _PORTION):
        for payout in _void_payouts(void[first : first + _PORTION]):
            void_payouts[payout.table_id, payout.rules].append(payout)
    DailyVoids.objects.bulk_create(
        _row(day, row, void_payouts[row[0], row[1]], row[2:]) for row in rounds
    )


def _row(
    day: date, key: tuple[int, str], void_payouts: Sequence[VoidPayout], counts: Sequence[int]
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
        void_not_judged=void - len(void_payouts),
        void_house_won=sum(payout.payout_cents < payout.staked_cents for payout in void_payouts),
        void_house_lost=sum(payout.payout_cents > payout.staked_cents for payout in void_payouts),
        void_staked_cents=sum(payout.staked_cents for payout in void_payouts),
        void_payout_cents=sum(payout.payout_cents for payout in void_payouts),
    )


def _void_payouts(round_ids: Sequence[UUID]) -> Iterator[VoidPayout]:
    """The void rounds whose cards determine a payout."""
    for stored in rounds_to_judge(round_ids):
        payout_cents = _payout_of(stored)
        if payout_cents is not None:
            bets = stored.dealt.bets
            staked_cents = sum(bet.stake_cents + bet.raised_cents for bet in bets)
            yield VoidPayout(stored.table_id, stored.dealt.rules, staked_cents, payout_cents)


def _payout_of(stored: RoundToJudge) -> int | None:
    try:
        verdict = judge_round(stored, _NO_MALFUNCTION)
    except RulesChangedError:
        return None
    if verdict.status == HELD:
        return None
    return sum(grade.payout_cents for grade in verdict.grades)
