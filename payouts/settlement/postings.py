"""The postings of arriving stakes and of settlements."""

from datetime import datetime
from typing import Final
from uuid import UUID

from compliance.storage.copy_text import NULL, moment
from payouts.ledger.models import Account, Transfer
from payouts.ledger.models.account import customer_account_id, shared_account_id
from payouts.ledger.post_transfers import no_changes
from payouts.settlement.decision import Decision
from payouts.settlement.stakes import Staked, staked_by
from rounds.rules.verdict import VOID

_CASH: Final = Account.Asset.CASH.value
_CHIPS: Final = Account.Asset.CHIPS.value
_WALLET: Final = Account.Kind.WALLET.value
_STAKES_HELD: Final = Account.Kind.STAKES_HELD.value
_HOUSE: Final = Account.Kind.HOUSE.value
_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_STAKES_TAKEN: Final = Transfer.Purpose.STAKES_TAKEN.value
_STAKES_SETTLED: Final = Transfer.Purpose.STAKES_SETTLED.value
_STAKE_RETURNED: Final = Transfer.Purpose.STAKE_RETURNED.value
_PAYOUT: Final = Transfer.Purpose.PAYOUT.value
_ARRIVAL_ENTRY: Final = 0


class Postings:
    """The transfers of a batch, as lines for ``copy_transfers``, and the balance changes."""

    def __init__(self, *, at: datetime, stripe: int) -> None:
        self.blocks: list[str] = []
        self.changes = no_changes()
        self._at = moment(at)
        self._stripe = stripe

    def take_stakes(self, round_id: UUID, staked: Staked) -> None:
        """Transfers all stakes of a round from the operator's wallet to the stakes held."""
        self._open(round_id, _ARRIVAL_ENTRY)
        self._move_stakes(_STAKES_TAKEN, _WALLET, _STAKES_HELD, staked)
        self._close()

    def settle(self, decision: Decision) -> None:
        """Transfers the settled stakes to the house and pays the bets.

        The stake of a void bet is returned from the stakes held.
        """
        self._open(decision.stored.id, decision.sequence)
        self._decide(decision)
        self._close()

    def _decide(self, decision: Decision) -> None:
        self._move_stakes(_STAKES_SETTLED, _STAKES_HELD, _HOUSE, _counted(decision))
        self._pay(_CASH, decision)
        if decision.sums.payout_chips_cents:
            self._pay(_CHIPS, decision)

    def _move_stakes(self, purpose: str, source: str, destination: str, staked: Staked) -> None:
        for asset, cents in ((_CASH, staked.cash), (_CHIPS, staked.chips)):
            if cents:
                debit, credit = self._shared(source, asset), self._shared(destination, asset)
                self._move(purpose, debit, credit, cents)

    def _pay(self, asset: str, decision: Decision) -> None:
        house, held = self._shared(_HOUSE, asset), self._shared(_STAKES_HELD, asset)
        customers = decision.stored.customers
        first = customer_account_id(_CUSTOMER, asset, 0)
        ids_per_customer = customer_account_id(_CUSTOMER, asset, 1) - first
        for number, (outcome, payout_cents, chips_cents, _) in enumerate(decision.verdict.grades):
            cents = chips_cents if asset == _CHIPS else payout_cents - chips_cents
            if not cents:
                continue
            account = first + ids_per_customer * customers[number]
            if outcome == VOID:
                self._move(_STAKE_RETURNED, held, account, cents, number)
            else:
                self._move(_PAYOUT, house, account, cents, number)

    def _open(self, round_id: UUID, entry: int) -> None:
        self._key = f"{round_id.hex}\t{entry}\t{self._at}\t"
        self._lines: list[str] = []

    def _move(
        self, purpose: str, debit: int, credit: int, cents: int, bet_number: int | str = NULL
    ) -> None:
        self._lines.append(
            f"{self._key}{len(self._lines)}\t{purpose}\t{debit}\t{credit}\t{cents}\t{bet_number}"
            f"\t{NULL}\t{NULL}\n"
        )
        self.changes[debit] -= cents
        self.changes[credit] += cents

    def _close(self) -> None:
        self.blocks.append("".join(self._lines))

    def _shared(self, kind: str, asset: str) -> int:
        return shared_account_id(kind, asset, self._stripe)


def _counted(decision: Decision) -> Staked:
    """The stakes of the bets that are not void."""
    if not decision.sums.has_voids:
        return decision.sums.staked
    pairs = zip(decision.stored.dealt.bets, decision.verdict.grades, strict=True)
    return staked_by([bet for bet, grade in pairs if grade.outcome != VOID])
