"""Which money moves when a round is settled again: back first, then as if for the first time."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.copying import NULL
from payouts.models import Transfer
from payouts.models.account import is_customer_account, receivable_of
from payouts.services.postings import Postings
from payouts.services.settlement import Decision

_REVERSAL: Final = Transfer.Purpose.REVERSAL.value
_SHORTFALL: Final = Transfer.Purpose.SHORTFALL.value
# What took back an earlier settlement stays taken back.
_STANDING: Final = """
    SELECT line, debit_id, credit_id, amount_cents, bet_number
      FROM payouts_transfer
     WHERE origin = %s AND entry = %s AND purpose <> 'reversal'
     ORDER BY line
"""


class Made(NamedTuple):
    """A transfer of an earlier settlement that is to be taken back."""

    line: int
    debit: int
    credit: int
    cents: int
    bet_number: int | None


def transfers_standing(round_id: UUID, *, sequence: int) -> list[Made]:
    """All that a round's settlement moved, what it took back of the one before left out.

    With its shortfalls: whoever is paid again after all owes no more what he was short of.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, [round_id, sequence])
        return list(map(Made._make, cursor.fetchall()))


class FurtherPostings(Postings):
    """The transfers of one further settlement of one round."""

    def settle_again(self, made: Iterable[Made], decision: Decision) -> None:
        """Takes back what the settlement before made, and settles as ``settle`` does."""
        self._open(decision.stored.id, decision.sequence)
        for one in made:
            self._take_back(one, decision.sequence - 1)
        self._decide(decision)
        self._close()

    def finished(self) -> list[str]:
        """The transfers since it was last asked, ready to be written."""
        blocks, self.blocks = self.blocks, []
        return blocks

    def accounts(self) -> list[int]:
        """Every account whose balance changes, or may have to because a customer falls short."""
        changed = [account for account, cents in self.changes.items() if cents]
        owing = [receivable_of(one) for one in changed if self._takes_from_customer(one)]
        return sorted({*changed, *owing})

    def cover_shortfalls(self, balances: Mapping[int, int]) -> int:
        """Makes a receivable of what customers lack; gives the sum in cents.

        ``balances`` are those of ``accounts()``, locked. A customer's account never falls below
        zero: where less is there than is taken, exactly the rest is owed.
        """
        written, owed_cents = len(self._lines), 0
        for account in filter(self._takes_from_customer, sorted(self.changes)):
            missing = -balances.get(account, 0) - self.changes[account]
            if missing > 0:
                self._move(_SHORTFALL, receivable_of(account), account, missing)
                owed_cents += missing
        self.blocks.append("".join(self._lines[written:]))
        return owed_cents

    def _takes_from_customer(self, account: int) -> bool:
        return is_customer_account(account) and self.changes[account] < 0

    def _take_back(self, made: Made, entry: int) -> None:
        line, debit, credit, cents, bet_number = made
        bet = NULL if bet_number is None else bet_number
        self._lines.append(
            f"{self._key}{len(self._lines)}\t{_REVERSAL}\t{credit}\t{debit}\t{cents}\t{bet}"
            f"\t{entry}\t{line}\n"
        )
        self.changes[credit] -= cents
        self.changes[debit] += cents
