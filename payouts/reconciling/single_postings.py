"""Pay-overs and goodwill credits: each moved once what it says, between the accounts it names."""

from typing import Final

from compliance.trail.stretches import Stretch
from payouts.models import Account
from payouts.models.account import customer_account_id, shared_account_id
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of

_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_SHARED: Final = "CASE WHEN {0} < 0 THEN -1 - mod(-1 - {0}, 8) ELSE {0} END"
# The last hour of the year 9999 keeps its own day (``rounds.gaming_day``).
_OWN_DAY: Final = "LEAST((made.at AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')"
_NEEDED_DAY: Final = f"""
       CASE WHEN made.booked_on > {_OWN_DAY}
             AND {_OWN_DAY} <= (SELECT max(day) FROM rounds_closedday) THEN made.booked_on
            ELSE {_OWN_DAY} END
"""  # noqa: S608  no text from outside
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
"""  # noqa: S608  no text from outside
_CREDITS: Final = f"""
    SELECT made.case_id::text, made.customer_id, 'cash', made.cents, made.at,
           {_NEEDED_DAY}, {_MOVED}
      FROM payouts_goodwillcredit AS made
      LEFT JOIN payouts_transfer AS moved ON moved.origin = made.id
     WHERE {{id}} ORDER BY made.id, moved.entry, moved.line
"""  # noqa: S608  no text from outside


def check_single_postings(keys: Stretch, found: Found) -> None:
    """The one transfer of each. Transfers of nothing that is stored are told elsewhere."""
    within = keys.holds("made.id")
    for reference, customer, asset, cents, at, day, *moved in rows_of(_PAY_OVERS.format(id=within)):
        account = customer_account_id(_CUSTOMER, asset, customer)
        wallet = shared_account_id(Account.Kind.WALLET.value, asset, 0)
        expected = [1, 0, "paid_over", account, wallet, cents, None, at, day]
        _compare(Kind.PAY_OVER, {"reference": reference}, moved, expected, account, found)
    for case, customer, asset, cents, at, day, *moved in rows_of(_CREDITS.format(id=within)):
        account = customer_account_id(_CUSTOMER, asset, customer)
        goodwill = shared_account_id(Account.Kind.GOODWILL.value, asset, 0)
        expected = [1, 0, "goodwill", goodwill, account, cents, None, at, day]
        _compare(Kind.GOODWILL, {"case": case}, moved, expected, account, found)


def _compare(
    kind: Kind,
    about: dict[str, str],
    moved: list[object],
    expected: list[object],
    account: int,
    found: Found,
) -> None:
    if moved != expected:
        told = None if moved[0] is None else _told(moved)
        found.add(Difference(kind, about, told, _told(expected), account_id=account))


def _told(moved: list[object]) -> dict[str, object]:
    names = ("entry", "line", "purpose", "debit", "credit", "cents", "bet", "at", "booked_on")
    told = dict(zip(names, moved, strict=True))
    return told | {name: str(told[name]) for name in ("at", "booked_on")}
