"""The stakes of bets, cash and golden chips separately. A raise is always cash (detail 38)."""

from collections.abc import Collection
from typing import NamedTuple

from rounds.rules.facts import Bet


class Staked(NamedTuple):
    """Stakes in cents."""

    cash: int
    chips: int


def staked_by(bets: Collection[Bet]) -> Staked:
    """The stakes of these bets."""
    chips = sum([bet.stake_cents for bet in bets if bet.golden])
    return Staked(sum([bet.stake_cents + bet.raised_cents for bet in bets]) - chips, chips)
