"""All checks one after another, in the transaction that is open: for whoever verifies alone.

The workers of a reconciliation share the same checks (``payouts.services.reconcile``), each part in
a transaction of its own.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from compliance.trail.stretches import Stretch, cut
from payouts.models import ReconcileDifference
from payouts.reconciling.accounts import (
    OF_THE_HOUSE,
    AccountRange,
    check_accounts,
    check_sums,
    cut_customers,
)
from payouts.reconciling.days import Days, check_days, cut_days
from payouts.reconciling.found import Found
from payouts.reconciling.rounds import check_rounds
from payouts.reconciling.strays import check_customers, check_names
from payouts.reconciling.wording import difference_words

_BETS: Final = 40_000
_ACCOUNTS: Final = 20_000


def check_house(found: Found) -> None:
    """What all rounds share: accounts, their sums, the names by which rounds are known."""
    check_accounts(OF_THE_HOUSE, found)
    check_sums(found)
    check_names(found)


def check_owners(accounts: AccountRange, found: Found) -> None:
    """The accounts of some customers, and these customers."""
    check_accounts(accounts, found)
    check_customers(accounts, found)


def cut_owners() -> list[AccountRange]:
    """All customers' accounts in ranges for ``check_owners``."""
    return cut_customers(most=_ACCOUNTS)


def cut_rounds(days: Days) -> list[Stretch]:
    """The rounds of these days in stretches for ``check_rounds``."""
    return cut("rounds_round", weight="bet_count", most=_BETS, within=days.keys)


def verify_facts_and_money(report: Callable[[str], None]) -> str:
    """Facts, settlements, ledger, balances and days against each other and against the trail.

    Reports every difference in words, and gives how much was looked at. Nothing is written.
    """
    looked_at = Found().looked_at
    for check in _every_check():
        found = Found()
        check(found)
        looked_at += found.looked_at
        for one in found.differences:
            report(difference_words(ReconcileDifference(**one._asdict())))
        if more := found.differing - len(found.differences):
            report(f"and {more:,} more of the same part")
    return (
        f"{looked_at['rounds']:,} rounds, {looked_at['bets']:,} bets,"
        f" {looked_at['transfers']:,} transfers, {looked_at['accounts']:,} accounts"
    )


def _every_check() -> Iterator[Callable[[Found], None]]:
    every_day = Days(None, None)
    yield check_house
    yield from (partial(check_owners, accounts) for accounts in cut_owners())
    yield from (partial(check_days, days) for days in cut_days(every_day))
    yield from (partial(check_rounds, keys) for keys in cut_rounds(every_day))
