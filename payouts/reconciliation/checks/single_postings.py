"""Pay-overs and goodwill credits, against their one transfer."""

from typing import Final

from compliance.trail.key_ranges import KeyRange
from payouts.carried_forward.detached_months import in_database
from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_account_id, first_stripe_of, shared_account_id
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind
from payouts.reconciliation.checks.snapshot import fetch_rows
from rounds.gaming_day import gaming_day_sql

_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_DAY: Final = gaming_day_sql("made.at")
_POSTINGS: Final = f"""
    SELECT {{reference}}, made.customer_id, {{asset}}, made.cents, made.at,
           CASE WHEN made.booked_on > {_DAY}
                 AND {_DAY} <= (SELECT max(day) FROM rounds_closedday) THEN made.booked_on
                ELSE {_DAY} END,
           moved.entry, moved.line, moved.purpose, {first_stripe_of("moved.debit_id")},
           {first_stripe_of("moved.credit_id")}, moved.amount_cents, moved.bet_number,
           moved.posted_at, made.booked_on
      FROM {{table}} AS made
      LEFT JOIN payouts_transfer AS moved ON moved.origin = made.id
     WHERE {{id}} AND (moved.entry IS NOT NULL OR {{present}})
     ORDER BY made.id, moved.entry, moved.line
"""


def check_single_postings(keys: KeyRange, result: CheckResult) -> None:
    """Checks the transfer of each, unless it is one of a detached month.

    Transfers of unknown origin are found by ``check_rounds``.
    """
    where = {"id": keys.holds("made.id"), "present": in_database("made.id")}
    pay_overs = _POSTINGS.format(
        reference="made.reference", asset="made.asset", table="payouts_payover", **where
    )
    for reference, customer, asset, cents, at, day, *moved in fetch_rows(pay_overs):
        account = customer_account_id(_CUSTOMER, asset, customer)
        wallet = shared_account_id(Account.Kind.WALLET.value, asset, 0)
        expected = [1, 0, "paid_over", account, wallet, cents, None, at, day]
        _compare(Kind.PAY_OVER, {"reference": reference}, moved, expected, account, result)
    credits_ = _POSTINGS.format(
        reference="made.case_id::text", asset="'cash'", table="payouts_goodwillcredit", **where
    )
    for case, customer, asset, cents, at, day, *moved in fetch_rows(credits_):
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
