"""Which money moves when a round's stakes are taken, and when it is settled."""

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from payouts.models import Account, Transfer
from payouts.services.ledger import AccountKey, Posting
from rounds.rules.facts import Bet, Round
from rounds.rules.verdict import VOID, Grade

_CASH: Final = Account.Asset.CASH.value
_CHIPS: Final = Account.Asset.CHIPS.value
_WALLET: Final = Account.Kind.WALLET.value
_STAKES_HELD: Final = Account.Kind.STAKES_HELD.value
_HOUSE: Final = Account.Kind.HOUSE.value
_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_ARRIVAL_ENTRY: Final = 0


def stakes_taken(round_id: UUID, dealt: Round) -> Iterator[Posting]:
    """All stakes of a round move from the operator's wallet to the stakes held."""
    for line, (asset, cents) in enumerate(_staked(dealt.bets)):
        yield Posting(
            round_id,
            _ARRIVAL_ENTRY,
            line,
            Transfer.Purpose.STAKES_TAKEN.value,
            AccountKey(_WALLET, asset),
            AccountKey(_STAKES_HELD, asset),
            cents,
        )


def stakes_settled(
    round_id: UUID,
    dealt: Round,
    grades: Sequence[Grade],
    customers: Sequence[int],
    *,
    sequence: int,
) -> Iterator[Posting]:
    """The stakes that counted go to the house, and every bet that pays is paid.

    ``customers`` are the ids of the bets' customers, in the order of the bets. A void bet's stake
    goes back from the stakes held and never touches the house.
    """
    line = 0
    counted = [bet for bet, grade in zip(dealt.bets, grades, strict=True) if grade.outcome != VOID]
    for asset, cents in _staked(counted):
        yield Posting(
            round_id,
            sequence,
            line,
            Transfer.Purpose.STAKES_SETTLED.value,
            AccountKey(_STAKES_HELD, asset),
            AccountKey(_HOUSE, asset),
            cents,
        )
        line += 1
    for number, (grade, customer_id) in enumerate(zip(grades, customers, strict=True)):
        returned = grade.outcome == VOID
        purpose = Transfer.Purpose.STAKE_RETURNED if returned else Transfer.Purpose.PAYOUT
        for asset, cents in _paid(grade):
            yield Posting(
                round_id,
                sequence,
                line,
                purpose.value,
                AccountKey(_STAKES_HELD if returned else _HOUSE, asset),
                AccountKey(_CUSTOMER, asset, customer_id),
                cents,
                number,
            )
            line += 1


def _staked(bets: Sequence[Bet]) -> list[tuple[str, int]]:
    """What these bets staked, cash and chips apart; a raise is always cash (detail 38)."""
    chips = sum(bet.stake_cents for bet in bets if bet.golden)
    total = sum(bet.stake_cents + bet.raised_cents for bet in bets)
    return [(asset, cents) for asset, cents in ((_CASH, total - chips), (_CHIPS, chips)) if cents]


def _paid(grade: Grade) -> list[tuple[str, int]]:
    cash = grade.payout_cents - grade.chips_cents
    return [
        (asset, cents) for asset, cents in ((_CASH, cash), (_CHIPS, grade.chips_cents)) if cents
    ]
