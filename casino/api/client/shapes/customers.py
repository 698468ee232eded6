"""Days of play and customer tokens, as the API returns them."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class GameTotals:
    """The totals of one game."""

    rules: str
    rounds: int
    bets: int
    staked_cents: Annotated[int, "Stakes and raises"]
    payout_cents: Annotated[int, "Amount credited, stakes included"]
    open_rounds: Annotated[int, "Rounds not settled yet, without payout"]


@dataclass(frozen=True, kw_only=True)
class DayLinks:
    """Related addresses."""

    rounds: str


@dataclass(frozen=True, kw_only=True)
class HistoryDay:
    """A day of play, in Rome time."""

    date: dt.date
    rounds: int
    staked_cents: int
    payout_cents: int
    games: tuple[GameTotals, ...]
    links: DayLinks


@dataclass(frozen=True, kw_only=True)
class CustomerToken:
    """A customer's own token, shown only once."""

    id: Annotated[str, "The public part of the token, with which it is revoked"]
    token: str = field(repr=False)
    customer: str
    scopes: tuple[str, ...]
    expires_at: dt.datetime
