"""The postings of a further settlement: reversals first, then those of a settlement."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.storage.copy_text import NULL
from payouts.ledger.models import Transfer
from payouts.ledger.models.account import is_customer_account, receivable_of
from payouts.settlement.decision import Decision
from payouts.settlement.postings import Postings

_REVERSAL: Final = Transfer.Purpose.REVERSAL.value
_SHORTFALL: Final = Transfer.Purpose.SHORTFALL.value
# Reversals of an earlier settlement stay.
_TRANSFERS: Final = """
    SELECT line, debit_id, credit_id, amount_cents, bet_number
      FROM payouts_transfer
     WHERE origin = %s AND entry = %s AND purpose <> 'reversal'
     ORDER BY line
"""


class ReversedTransfer(NamedTuple):
    """A transfer of an earlier settlement to reverse."""

    line: int
    debit: int
    credit: int
    cents: int
    bet_number: int | None


def transfers_to_reverse(round_id: UUID, *, sequence: int) -> list[ReversedTransfer]:
    """The transfers of a round's settlement, its shortfalls included, its reversals not."""
    with connection.cursor() as cursor:
        cursor.execute(_TRANSFERS, [round_id, sequence])
        return list(map(ReversedTransfer._make, cursor.fetchall()))


class ResettlementPostings(Postings):
    """The postings of a further settlement of one round."""

    def resettle(self, transfers: Iterable[ReversedTransfer], decision: Decision) -> None:
        """Reverses these transfers and posts the decision."""
        self._open(decision.stored.id, decision.sequence)
        for transfer in transfers:
            self._reverse(transfer, decision.sequence - 1)
        self._decide(decision)
        self._close()

    def take_blocks(self) -> list[str]:
        """Returns the blocks added since the last call."""
        blocks, self.blocks = self.blocks, []
        return blocks

    def accounts(self) -> list[int]:
        """The accounts to lock: those of the transfers, and the receivables of debited customers.

        Includes accounts whose changes sum to zero: each account of a transfer is opened.
        """
        owing = map(receivable_of, filter(self._debits_customer, self.changes))
        return sorted({*self.changes, *owing})

    def cover_shortfalls(self, balances: Mapping[int, int]) -> int:
        """Posts what customers lack to their receivables. Returns the sum in cents.

        ``balances`` are those of ``accounts()``, locked. A customer's balance never falls below
        zero.
        """
        written, owed_cents = len(self._lines), 0
        for account in filter(self._debits_customer, sorted(self.changes)):
            missing = -balances.get(account, 0) - self.changes[account]
            if missing > 0:
                self._move(_SHORTFALL, receivable_of(account), account, missing)
                owed_cents += missing
        self.blocks.append("".join(self._lines[written:]))
        return owed_cents

    def _debits_customer(self, account: int) -> bool:
        return is_customer_account(account) and self.changes[account] < 0

    def _reverse(self, transfer: ReversedTransfer, entry: int) -> None:
        line, debit, credit, cents, bet_number = transfer
        bet = NULL if bet_number is None else bet_number
        self._lines.append(
            f"{self._key}{len(self._lines)}\t{_REVERSAL}\t{credit}\t{debit}\t{cents}\t{bet}"
            f"\t{entry}\t{line}\n"
        )
        self.changes[credit] -= cents
        self.changes[debit] += cents
