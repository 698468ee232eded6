"""Which money moves when a round's stakes are taken, and when it is settled."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from compliance.trail.copying import NULL, moment
from payouts.models import Account, Transfer
from payouts.models.account import customer_account_id, shared_account_id
from payouts.services.ledger import no_changes
from rounds.rules.facts import Bet
from rounds.rules.verdict import VOID, Grade

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
    """The transfers of a batch, as ``post_transfers`` wants them, and what they come to."""

    def __init__(self, *, at: datetime, stripe: int) -> None:
        self.blocks: list[str] = []
        self.changes = no_changes()
        self._at = moment(at)
        self._stripe = stripe

    def take_stakes(self, round_id: UUID, bets: Sequence[Bet]) -> None:
        """All stakes of a round move from the operator's wallet to the stakes held."""
        self._open(round_id, _ARRIVAL_ENTRY)
        for asset, cents in _staked(bets):
            debit, credit = self._shared(_WALLET, asset), self._shared(_STAKES_HELD, asset)
            self._move(_STAKES_TAKEN, debit, credit, cents)
        self._close()

    def settle(
        self,
        round_id: UUID,
        bets: Sequence[Bet],
        grades: Sequence[Grade],
        customers: Sequence[int],
        *,
        sequence: int,
    ) -> None:
        """The stakes that counted go to the house, and every bet that pays is paid.

        ``customers`` are the ids of the bets' customers, in the order of the bets. A void bet's
        stake goes back from the stakes held and never touches the house.
        """
        self._open(round_id, sequence)
        self._decide(bets, grades, customers)
        self._close()

    def _decide(
        self, bets: Sequence[Bet], grades: Sequence[Grade], customers: Sequence[int]
    ) -> None:
        counted = [bet for bet, grade in zip(bets, grades, strict=True) if grade[0] != VOID]
        for asset, cents in _staked(counted):
            debit, credit = self._shared(_STAKES_HELD, asset), self._shared(_HOUSE, asset)
            self._move(_STAKES_SETTLED, debit, credit, cents)
        self._pay(_CASH, grades, customers)
        if any(grade[2] for grade in grades):
            self._pay(_CHIPS, grades, customers)

    def _pay(self, asset: str, grades: Sequence[Grade], customers: Sequence[int]) -> None:
        house, held = self._shared(_HOUSE, asset), self._shared(_STAKES_HELD, asset)
        first = customer_account_id(_CUSTOMER, asset, 0)
        room = customer_account_id(_CUSTOMER, asset, 1) - first
        for number, (outcome, payout_cents, chips_cents, _) in enumerate(grades):
            cents = chips_cents if asset == _CHIPS else payout_cents - chips_cents
            if not cents:
                continue
            account = first + room * customers[number]
            if outcome == VOID:
                self._move(_STAKE_RETURNED, held, account, cents, number)
            else:
                self._move(_PAYOUT, house, account, cents, number)

    def _open(self, round_id: UUID, entry: int) -> None:
        self._key = f"{round_id}\t{entry}\t{self._at}\t"
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


def _staked(bets: Sequence[Bet]) -> list[tuple[str, int]]:
    """What these bets staked, cash and chips apart; a raise is always cash (detail 38)."""
    chips = sum([bet.stake_cents for bet in bets if bet.golden])
    total = sum([bet.stake_cents + bet.raised_cents for bet in bets])
    return [(asset, cents) for asset, cents in ((_CASH, total - chips), (_CHIPS, chips)) if cents]
