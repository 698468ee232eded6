"""All checks in sequence, in the current transaction.

A reconciliation runs the same checks in parts (``payouts.reconciliation.reconcile``).
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from compliance.trail.key_ranges import KeyRange, key_ranges
from payouts.carried_forward.detached_months import detached_months
from payouts.reconciliation.checks.accounts import (
    SHARED_ACCOUNTS,
    AccountRange,
    check_accounts,
    check_sums,
    customer_account_ranges,
)
from payouts.reconciliation.checks.carried import check_carried_rows, check_detached_month
from payouts.reconciliation.checks.days import Days, check_days, day_ranges
from payouts.reconciliation.checks.differences import CheckResult
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.checks.orphans import check_customers, check_names
from payouts.reconciliation.checks.rounds import check_rounds
from payouts.reconciliation.models import ReconcileDifference

_BETS: Final = 40_000
_ACCOUNTS: Final = 20_000


def check_house(result: CheckResult) -> None:
    """Checks shared accounts, the sums of all accounts, names of rounds, and carried sums."""
    check_accounts(SHARED_ACCOUNTS, result)
    check_sums(result)
    check_names(result)
    check_carried_rows(result)


def check_owners(accounts: AccountRange, result: CheckResult) -> None:
    """Checks the accounts of some customers, and these customers."""
    check_accounts(accounts, result)
    check_customers(accounts, result)


def owner_account_ranges() -> list[AccountRange]:
    """The ranges of customers' accounts for ``check_owners``."""
    return customer_account_ranges(most=_ACCOUNTS)


def round_ranges(days: Days) -> list[KeyRange]:
    """The ranges of rounds of these days for ``check_rounds``."""
    return key_ranges("rounds_round", weight="bet_count", most=_BETS, within=days.keys)


def verify_facts_and_money(report: Callable[[str], None]) -> str:
    """Checks facts, settlements, ledger, balances, days and audit trail against each other.

    Reports every difference and returns the counts as text. Nothing is written.
    """
    counts = CheckResult().looked_at
    for check in _every_check():
        result = CheckResult()
        check(result)
        counts += result.looked_at
        for difference in result.differences:
            report(difference_message(ReconcileDifference(**difference._asdict())))
        if more := result.differing - len(result.differences):
            report(f"and {more:,} more differences in this part")
    return (
        f"{counts['rounds']:,} rounds, {counts['bets']:,} bets,"
        f" {counts['transfers']:,} transfers, {counts['accounts']:,} accounts,"
        " recomputed"
    )


def _every_check() -> Iterator[Callable[[CheckResult], None]]:
    every_day = Days(None, None)
    yield check_house
    yield from (partial(check_owners, accounts) for accounts in owner_account_ranges())
    yield from (partial(check_detached_month, month) for month in detached_months())
    yield from (partial(check_days, days) for days in day_ranges(every_day))
    yield from (partial(check_rounds, keys) for keys in round_ranges(every_day))
