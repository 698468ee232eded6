"""Names and customers without a round."""

from typing import Final

from payouts.reconciliation.checks.accounts import AccountRange
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind
from payouts.reconciliation.checks.snapshot import fetch_rows

_NAMES: Final = """
    SELECT reference FROM rounds_roundname AS name
     WHERE NOT EXISTS (SELECT FROM rounds_round AS round
                        WHERE round.id = name.round_id AND round.reference = name.reference)
     ORDER BY reference
"""
# One index look-up per customer; a join would read all bets.
_CUSTOMERS: Final = """
    SELECT pseudonym FROM rounds_customer AS customer
     WHERE {id} AND (SELECT true FROM rounds_bet WHERE customer_id = customer.id LIMIT 1) IS NULL
     ORDER BY pseudonym
"""


def check_names(result: CheckResult) -> None:
    """Checks that each name is the reference of its round."""
    for (reference,) in fetch_rows(_NAMES):
        result.add(Difference(Kind.UNKNOWN, {"id": reference}, {"rows": ["names"]}, None))


def check_customers(accounts: AccountRange, result: CheckResult) -> None:
    """Checks that each customer has a bet."""
    for (pseudonym,) in fetch_rows(_CUSTOMERS.format(id=accounts.holds_customers("customer.id"))):
        result.add(Difference(Kind.UNKNOWN, {"customer": pseudonym}, {"rows": ["customers"]}, None))
