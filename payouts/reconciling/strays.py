"""Names and customers that no round knows: put there by somebody else, or left behind."""

from typing import Final

from payouts.reconciling.accounts import AccountRange
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of

_NAMES: Final = """
    SELECT reference FROM rounds_roundname AS name
     WHERE NOT EXISTS (SELECT FROM rounds_round AS round
                        WHERE round.id = name.round_id AND round.reference = name.reference)
     ORDER BY reference
"""
# The index over the bets of a customer is asked for one of them; a join would read all bets.
_CUSTOMERS: Final = """
    SELECT pseudonym FROM rounds_customer AS customer
     WHERE {id} AND (SELECT true FROM rounds_bet WHERE customer_id = customer.id LIMIT 1) IS NULL
     ORDER BY pseudonym
"""


def check_names(found: Found) -> None:
    """Each name is that of the round which it names."""
    for (reference,) in rows_of(_NAMES):
        found.add(Difference(Kind.UNKNOWN, {"id": reference}, {"rows": ["names"]}, None))


def check_customers(accounts: AccountRange, found: Found) -> None:
    """Each customer has bet: that is how he became known."""
    for (pseudonym,) in rows_of(_CUSTOMERS.format(id=accounts.holds_customers("customer.id"))):
        found.add(Difference(Kind.UNKNOWN, {"customer": pseudonym}, {"rows": ["customers"]}, None))
