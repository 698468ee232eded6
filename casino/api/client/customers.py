"""``sabot.customers``: game histories and customer tokens."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from .calls import Calls, Operation
from .paging import items
from .shapes.customers import CustomerToken, HistoryDay
from .shapes.page import Page
from .shapes.rounds import RoundSummary
from .shapes.totals import DayTotals

READ_HISTORY: Final = Operation(
    "list_history_days", "GET", "/customers/{pseudonym}/history", Page[HistoryDay]
)
READ_DAY: Final = Operation(
    "list_history_rounds", "GET", "/customers/{pseudonym}/history/{day}", Page[RoundSummary]
)
READ_TOTALS: Final = Operation(
    "read_day_totals", "GET", "/customers/{pseudonym}/history/{day}/totals", DayTotals
)
ISSUE_TOKEN: Final = Operation("issue_customer_token", "POST", "/customer-tokens", CustomerToken)
REVOKE_TOKEN: Final = Operation(
    "revoke_customer_token", "DELETE", "/customer-tokens/{token}", type(None)
)


class CustomerCalls:
    """Operations on customers, identified by pseudonym."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def history(self, pseudonym: str, *, limit: int = 92) -> Iterator[HistoryDay]:
        """The days on which a customer played, newest first; ``limit`` per page."""
        at = {"pseudonym": pseudonym}
        return items(self._calls, READ_HISTORY, at, {"limit": limit})

    def rounds_of_day(
        self, pseudonym: str, day: dt.date, *, limit: int = 200
    ) -> Iterator[RoundSummary]:
        """The rounds of a day, latest first, with the customer's stakes and payouts."""
        at = {"pseudonym": pseudonym, "day": day.isoformat()}
        return items(self._calls, READ_DAY, at, {"limit": limit})

    def day_totals(self, pseudonym: str, day: dt.date) -> DayTotals:
        """The proof that the totals of a closed day count the customer.

        Raises NotFound if they do not, or the day has none.
        """
        return self._calls.call(READ_TOTALS, {"pseudonym": pseudonym, "day": day.isoformat()})

    def issue_token(
        self, customer: str, *, minutes: int = 15, once: str | None = None
    ) -> CustomerToken:
        """A token with which the customer reads and disputes their own rounds."""
        body = {"customer": customer, "minutes": minutes}
        return self._calls.call(ISSUE_TOKEN, body=body, once=once)

    def revoke_token(self, token: str) -> None:
        """Revokes a token that this key issued, by its ``id``. Raises NotFound for others."""
        self._calls.call(REVOKE_TOKEN, {"token": token})
