"""Adding settlements to the daily totals."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db import connection

from payouts.settlement.stakes import Staked
from rounds.rules.facts import Bet
from rounds.rules.verdict import VOID, Grade

# Rows are locked in the order of their keys, so that two batches never wait for each other.
_ADD_ROUNDS: Final = """
    INSERT INTO payouts_dailyrounds AS total (day, table_id, rules, rounds, void_rounds, stripe)
    SELECT *, %s FROM unnest(%s::date[], %s::bigint[], %s::text[], %s::bigint[], %s::bigint[])
                      AS added (day, table_id, rules)
     ORDER BY day, table_id, rules
        ON CONFLICT (day, table_id, rules, stripe) DO UPDATE
       SET rounds = total.rounds + excluded.rounds,
           void_rounds = total.void_rounds + excluded.void_rounds
"""
_ADD_BETS: Final = """
    INSERT INTO payouts_dailybets AS total (day, table_id, rules, kind, bets, void_bets,
           staked_cents, staked_chips_cents, payout_cents, payout_chips_cents, stripe)
    SELECT *, %s FROM unnest(%s::date[], %s::bigint[], %s::text[], %s::text[], %s::bigint[],
                             %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
                      AS added (day, table_id, rules, kind)
     ORDER BY day, table_id, rules, kind
        ON CONFLICT (day, table_id, rules, kind, stripe) DO UPDATE
       SET bets = total.bets + excluded.bets,
           void_bets = total.void_bets + excluded.void_bets,
           staked_cents = total.staked_cents + excluded.staked_cents,
           staked_chips_cents = total.staked_chips_cents + excluded.staked_chips_cents,
           payout_cents = total.payout_cents + excluded.payout_cents,
           payout_chips_cents = total.payout_chips_cents + excluded.payout_chips_cents
"""


class TotalKey(NamedTuple):
    """The key of daily totals, apart from the bet kind."""

    day: date
    table_id: int
    rules: str


_NUMBER, _VOID, _STAKED, _STAKED_CHIPS, _PAYOUT, _PAYOUT_CHIPS = range(6)


class Sums:
    """The sums over the bets of a round with their grades, in cents, in one pass."""

    def __init__(self, bets: Sequence[Bet], grades: Sequence[Grade]) -> None:
        self.by_kind: defaultdict[str, list[int]] = defaultdict(lambda: [0] * 6)
        """The columns of the daily totals, by bet kind."""
        for bet, (outcome, payout_cents, chips_cents, _) in zip(bets, grades, strict=True):
            total = self.by_kind[bet.kind]
            total[_NUMBER] += 1
            total[_STAKED] += bet.stake_cents + bet.raised_cents
            if payout_cents:
                total[_VOID] += outcome == VOID
                total[_PAYOUT] += payout_cents
                total[_PAYOUT_CHIPS] += chips_cents
            if bet.golden:
                total[_STAKED_CHIPS] += bet.stake_cents
        columns = zip(*self.by_kind.values(), strict=True)
        sums = list(map(sum, columns)) or [0] * 6
        self.has_voids = sums[_VOID] > 0
        self.staked_cents = sums[_STAKED]
        self.staked = Staked(sums[_STAKED] - sums[_STAKED_CHIPS], sums[_STAKED_CHIPS])
        self.payout_cents, self.payout_chips_cents = sums[_PAYOUT], sums[_PAYOUT_CHIPS]


class Totals:
    """Changes of the daily totals by a batch of settlements."""

    def __init__(self) -> None:
        self._rounds: defaultdict[TotalKey, list[int]] = defaultdict(lambda: [0] * 2)
        self._bets: defaultdict[tuple[TotalKey, str], list[int]] = defaultdict(lambda: [0] * 6)

    def add(self, key: TotalKey, sums: Sums, *, is_void: bool, sign: int = 1) -> None:
        """Adds a settlement of a round, or subtracts a replaced one (``sign`` -1)."""
        rounds = self._rounds[key]
        rounds[0] += sign
        rounds[1] += sign * is_void
        for kind, added in sums.by_kind.items():
            total = self._bets[key, kind]
            for column, number in enumerate(added):
                total[column] += sign * number

    def write(self, *, stripe: int) -> None:
        """Writes the changes to the stored totals, in the current transaction."""
        rounds = [(*key, *sums) for key, sums in self._rounds.items()]
        bets = [(*key, kind, *sums) for (key, kind), sums in self._bets.items()]
        with connection.cursor() as cursor:
            for statement, rows in ((_ADD_ROUNDS, rounds), (_ADD_BETS, bets)):
                if rows:
                    columns = [list(column) for column in zip(*rows, strict=True)]
                    cursor.execute(statement, [stripe, *columns])
