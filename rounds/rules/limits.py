"""The stake limits of a table, which its rounds are held to when they are ingested (detail 14)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.facts import Bet

Limits = Mapping[str, tuple[int, int]]
"""Least and greatest stake in cents, both included, for each bet kind that has a limit."""

NO_LIMITS: Final[Limits] = MappingProxyType({})
"""Replay knows no table."""


def break_limits(bets: Iterable[Bet], limits: Limits) -> bool:
    """Whether one of the bets stakes less or more than the limits of its kind."""
    for bet in bets:
        limit = limits.get(bet.kind)
        if limit is not None and not limit[0] <= bet.stake_cents <= limit[1]:
            return True
    return False
