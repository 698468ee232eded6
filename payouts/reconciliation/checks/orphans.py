"""Names and customers without a round."""

from typing import Final

from payouts.carried_forward.detached_months import in_database, is_carried
from payouts.ledger.models.account import cash_account_sql
from payouts.reconciliation.checks.accounts import AccountRange
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind
from payouts.reconciliation.checks.snapshot import fetch_rows

_NAMES: Final = """
    SELECT reference FROM rounds_roundname AS name
     WHERE NOT EXISTS (SELECT FROM rounds_round AS round
                        WHERE round.id = name.round_id AND round.reference = name.reference)
       AND {present}
     ORDER BY reference
"""
# One index look-up per customer; a join would read all bets.
_CUSTOMERS: Final = f"""
    SELECT pseudonym FROM rounds_customer AS customer
     WHERE {{id}} AND (SELECT true FROM rounds_bet WHERE customer_id = customer.id LIMIT 1) IS NULL
       AND NOT EXISTS (SELECT FROM payouts_carriedbalance
                        WHERE {{carried}} AND account_id = {cash_account_sql("customer.id")})
     ORDER BY pseudonym
"""


def check_names(result: CheckResult) -> None:
    """Checks that each name is the reference of its round, unless its month is detached."""
    names = _NAMES.format(present=in_database("name.round_id"))
    for (reference,) in fetch_rows(names):
        result.add(Difference(Kind.UNKNOWN, {"id": reference}, {"rows": ["names"]}, None))


def check_customers(accounts: AccountRange, result: CheckResult) -> None:
    """Checks that each customer has a bet, perhaps of a detached month."""
    customers = _CUSTOMERS.format(id=accounts.holds_customers("customer.id"), carried=is_carried())
    for (pseudonym,) in fetch_rows(customers):
        result.add(Difference(Kind.UNKNOWN, {"customer": pseudonym}, {"rows": ["customers"]}, None))
