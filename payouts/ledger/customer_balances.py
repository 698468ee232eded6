"""The balances of customers."""

from collections.abc import Collection
from typing import Final, NamedTuple

from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_account_id

_KINDS: Final = (
    (Account.Kind.CUSTOMER, Account.Asset.CASH),
    (Account.Kind.CUSTOMER, Account.Asset.CHIPS),
    (Account.Kind.RECEIVABLE, Account.Asset.CASH),
    (Account.Kind.RECEIVABLE, Account.Asset.CHIPS),
)


class CustomerBalances(NamedTuple):
    """A customer's accounts; None for one that has had no transfer."""

    cash: Account | None
    chips: Account | None
    owed_cash: Account | None
    owed_chips: Account | None

    @property
    def account_ids(self) -> list[int]:
        """The accounts of cash and golden chips."""
        return [account.pk for account in (self.cash, self.chips) if account is not None]

    @property
    def owed_cents(self) -> int:
        """What the customer owes, in cash and golden chips; zero or negative."""
        owed = (self.owed_cash, self.owed_chips)
        return sum(account.balance_cents for account in owed if account is not None)


NO_BALANCES: Final = CustomerBalances(None, None, None, None)


def balances_of(customer_ids: Collection[int]) -> dict[int, CustomerBalances]:
    """The balances of these customers, in one query."""
    ids = {
        customer_id: [customer_account_id(kind, asset, customer_id) for kind, asset in _KINDS]
        for customer_id in customer_ids
    }
    accounts = Account.objects.in_bulk([pk for keys in ids.values() for pk in keys])
    return {
        customer_id: CustomerBalances(*(accounts.get(pk) for pk in keys))
        for customer_id, keys in ids.items()
    }
