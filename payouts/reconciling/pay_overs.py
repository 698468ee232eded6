"""Pay-overs: each moved once what it says, from the customer's account to the wallet."""

from typing import Final

from compliance.trail.stretches import Stretch
from payouts.models import Account
from payouts.models.account import customer_account_id, shared_account_id
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of

_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_WALLET: Final = Account.Kind.WALLET.value
_PAY_OVERS: Final = """
    SELECT made.reference, made.customer_id, made.asset, made.cents, made.at,
           moved.entry, moved.line, moved.purpose, moved.debit_id,
           CASE WHEN moved.credit_id < 0 THEN -1 - mod(-1 - moved.credit_id, 8)
                ELSE moved.credit_id END,
           moved.amount_cents, moved.posted_at
      FROM payouts_payover AS made
      LEFT JOIN payouts_transfer AS moved ON moved.origin = made.id
     WHERE {id} ORDER BY made.id, moved.entry, moved.line
"""


def check_pay_overs(keys: Stretch, found: Found) -> None:
    """The one transfer of each. Transfers of no pay-over and no round are told elsewhere."""
    for reference, customer, asset, cents, at, *moved in rows_of(
        _PAY_OVERS.format(id=keys.holds("made.id"))
    ):
        account = customer_account_id(_CUSTOMER, asset, customer)
        wallet = shared_account_id(_WALLET, asset, 0)
        expected = [1, 0, "paid_over", account, wallet, cents, at]
        if moved != expected:
            found.add(
                Difference(
                    Kind.PAY_OVER,
                    {"reference": reference},
                    None if moved[0] is None else _told(moved),
                    _told(expected),
                    account_id=account,
                )
            )


def _told(moved: list[object]) -> dict[str, object]:
    names = ("entry", "line", "purpose", "debit", "credit", "cents", "at")
    return {**dict(zip(names, moved, strict=True)), "at": str(moved[-1])}
