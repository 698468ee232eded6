"""The transfers of customers' accounts, newest subject first, a page at a time."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from payouts.ledger.models import Transfer
from rounds.models import Round


class TransferKey(NamedTuple):
    """The primary key of a transfer."""

    origin: UUID
    entry: int
    line: int


class AccountTransfer(NamedTuple):
    """A transfer from the view of one account: ``cents`` are positive for a credit."""

    transfer: Transfer
    cents: int
    round: Round | None
    """None for a transfer outside any round."""

    @property
    def key(self) -> TransferKey:
        """Its place in the order of the ledger."""
        return _key_of(self.transfer)


def account_transfers(
    account_ids: Collection[int], *, before: TransferKey | None = None, most: int
) -> list[AccountTransfer]:
    """The latest transfers of customers' accounts, or those before a transfer.

    They are ordered by the time of their round, pay-over or credit. Of an account that no customer
    has, none: millions refer to it.
    """
    owned = [account_id for account_id in account_ids if account_id >= 0]
    signed = {
        _key_of(transfer): (transfer, sign)
        for account_id in owned
        for side, sign in (("credit", 1), ("debit", -1))
        for transfer in _of_account(account_id, side, before)[:most]
    }
    latest = [signed[key] for key in sorted(signed, reverse=True)[:most]]
    rounds = Round.objects.in_bulk([transfer.origin for transfer, _sign in latest])
    return [
        AccountTransfer(transfer, sign * transfer.amount_cents, rounds.get(transfer.origin))
        for transfer, sign in latest
    ]


def _of_account(account_id: int, side: str, before: TransferKey | None) -> QuerySet[Transfer]:
    """One range of the partial index by this side."""
    rows = Transfer.objects.filter(**{side: account_id, f"{side}__gte": 0})
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return rows.order_by("-origin", "-entry", "-line")


def _key_of(transfer: Transfer) -> TransferKey:
    return TransferKey(transfer.origin, transfer.entry, transfer.line)
