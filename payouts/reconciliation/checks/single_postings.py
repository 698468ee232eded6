"""Pay-overs and goodwill credits, against their one transfer."""

from typing import Final

from compliance.trail.key_ranges import KeyRange
from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_account_id, shared_account_id
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind
from payouts.reconciliation.checks.snapshot import fetch_rows

_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_SHARED: Final = "CASE WHEN {0} < 0 THEN -1 - mod(-1 - {0}, 8) ELSE {0} END"
# The last hour of the year 9999 keeps its own day (``rounds.gaming_day``).
_OWN_DAY: Final = "LEAST((made.at AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')"
_NEEDED_DAY: Final = f"""
       CASE WHEN made.booked_on > {_OWN_DAY}
             AND {_OWN_DAY} <= (SELECT max(day) FROM rounds_closedday) THEN made.booked_on
            ELSE {_OWN_DAY} END
"""
_MOVED: Final = f"""
       moved.entry, moved.line, moved.purpose, {_SHARED.format("moved.debit_id")},
       {_SHARED.format("moved.credit_id")}, moved.amount_cents, moved.bet_number, moved.posted_at,
       made.booked_on
"""
_PAY_OVERS: Final = f"""
    SELECT made.reference, made.customer_id, made.asset, made.cents, made.at,
           {_NEEDED_DAY}, {_MOVED}
      FROM payouts_payover AS made
      LEFT JOIN payouts_transfer AS moved ON moved.origin = made.id
     WHERE {{id}} ORDER BY made.id, moved.entry, moved.line
"""
_CREDITS: Final = f"""
    SELECT made.case_id::text, made.customer_id, 'cash', made.cents, made.at,
           {_NEEDED_DAY}, {_MOVED}
      FROM payouts_goodwillcredit AS made
      LEFT JOIN payouts_transfer AS moved ON moved.origin = made.id
     WHERE {{id}} ORDER BY made.id, moved.entry, moved.line
"""


def check_single_postings(keys: KeyRange, result: CheckResult) -> None:
    """Checks the transfer of each. Transfers of unknown origin are found by ``check_rounds``."""
    within = keys.holds("made.id")
    for reference, customer, asset, cents, at, day, *moved in fetch_rows(
        _PAY_OVERS.format(id=within)
    ):
        account = customer_account_id(_CUSTOMER, asset, customer)
        wallet = shared_account_id(Account.Kind.WALLET.value, asset, 0)
        expected = [1, 0, "paid_over", account, wallet, cents, None, at, day]
        _compare(Kind.PAY_OVER, {"reference": reference}, moved, expected, account, result)
    for case, customer, asset, cents, at, day, *moved in fetch_rows(_CREDITS.format(id=within)):
        account = customer_account_id(_CUSTOMER, asset, customer)
        goodwill = shared_account_id(Account.Kind.GOODWILL.value, asset, 0)
        expected = [1, 0, "goodwill", goodwill, account, cents, None, at, day]
        _compare(Kind.GOODWILL, {"case": case}, moved, expected, account, result)


def _compare(
    kind: Kind,
    about: dict[str, str],
    moved: list[object],
    expected: list[object],
    account: int,
    result: CheckResult,
) -> None:
    if moved != expected:
        stored = None if moved[0] is None else _transfer(moved)
        result.add(Difference(kind, about, stored, _transfer(expected), account_id=account))


def _transfer(values: list[object]) -> dict[str, object]:
    names = ("entry", "line", "purpose", "debit", "credit", "cents", "bet", "at", "booked_on")
    transfer = dict(zip(names, values, strict=True))
    return transfer | {name: str(transfer[name]) for name in ("at", "booked_on")}
