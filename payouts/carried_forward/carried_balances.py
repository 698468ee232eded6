"""What detached months add to the balances of a customer."""

from typing import NamedTuple

from compliance.storage.partitions import Month
from payouts.carried_forward.detached_months import detached_months
from payouts.carried_forward.models import CarriedBalance
from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_account_id, kind_and_asset_of

_FIRST_ACCOUNT = (Account.Kind.CUSTOMER.value, Account.Asset.CASH.value)


class CarriedToAccount(NamedTuple):
    """What a month adds to one account; zero for a customer who lost every bet of it."""

    month: Month
    account: str
    """Kind and asset, in the language of the page."""
    cents: int


def carried_to(customer_id: int) -> list[CarriedToAccount]:
    """The sums of a customer's accounts, latest month first."""
    months = {month.record_id: month.month for month in detached_months()}
    first, end = [
        customer_account_id(*_FIRST_ACCOUNT, owner) for owner in (customer_id, customer_id + 1)
    ]
    rows = CarriedBalance.objects.filter(
        record_id__in=months, account_id__gte=first, account_id__lt=end
    )
    lines = [
        CarriedToAccount(months[row.record_id], _label(row.account_id), row.cents)
        for row in rows.order_by("account_id")
    ]
    return sorted(lines, key=lambda line: line.month, reverse=True)


def _label(account_id: int) -> str:
    kind, asset = kind_and_asset_of(account_id) or ("", "")
    return f"{Account.Kind(kind).label} · {Account.Asset(asset).label}"
