"""``sabot.customers``: what a customer played, and tokens for customers themselves."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from .calls import Calls, Operation
from .paging import Page, items
from .round_shapes import RoundInShort


@dataclass(frozen=True, kw_only=True)
class GameOfDay:
    """What the customer did at one game."""

    rules: str
    rounds: int
    bets: int
    staked_cents: int
    payout_cents: int
    open_rounds: int


@dataclass(frozen=True, kw_only=True)
class DayLinks:
    """Where the rounds of a day are."""

    rounds: str


@dataclass(frozen=True, kw_only=True)
class Day:
    """A day, in Rome, on which the customer played."""

    date: dt.date
    rounds: int
    staked_cents: int
    payout_cents: int
    games: tuple[GameOfDay, ...]
    links: DayLinks


@dataclass(frozen=True, kw_only=True)
class CustomerToken:
    """A customer's own token, told this once."""

    token: str = field(repr=False)
    customer: str
    scopes: tuple[str, ...]
    expires_at: dt.datetime


READ_HISTORY: Final = Operation("read_history", "GET", "/customers/{pseudonym}/history", Page[Day])
READ_DAY: Final = Operation(
    "read_day_of_history", "GET", "/customers/{pseudonym}/history/{day}", Page[RoundInShort]
)
ISSUE_TOKEN: Final = Operation("issue_customer_token", "POST", "/customer-tokens", CustomerToken)


class CustomerCalls:
    """What can be done for customers, who are named by their pseudonyms."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def history(self, pseudonym: str, *, limit: int = 92) -> Iterator[Day]:
        """The days on which a customer played, newest first; ``limit`` a call."""
        at = {"pseudonym": pseudonym}
        return items(self._calls, READ_HISTORY, at, {"limit": limit})

    def rounds_of_day(
        self, pseudonym: str, day: dt.date, *, limit: int = 200
    ) -> Iterator[RoundInShort]:
        """The rounds of such a day, latest first, with what this customer staked and was paid."""
        at = {"pseudonym": pseudonym, "day": day.isoformat()}
        return items(self._calls, READ_DAY, at, {"limit": limit})

    def issue_token(
        self, customer: str, *, minutes: int = 15, once: str | None = None
    ) -> CustomerToken:
        """A token with which the customer reads his own rounds and disputes them."""
        body = {"customer": customer, "minutes": minutes}
        return self._calls.tell(ISSUE_TOKEN, body=body, once=once)
