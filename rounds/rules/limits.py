"""Stake limits of a table, checked when its rounds are validated (detail 14)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.facts import Bet

Limits = Mapping[str, tuple[int, int]]
"""Minimum and maximum stake in cents, inclusive, by bet kind."""

NO_LIMITS: Final[Limits] = MappingProxyType({})
"""For replay, which knows no tables."""


def exceeds_limits(bets: Iterable[Bet], limits: Limits) -> bool:
    """Whether a stake is below or above the limits of its kind."""
    for bet in bets:
        limit = limits.get(bet.kind)
        if limit is not None and not limit[0] <= bet.stake_cents <= limit[1]:
            return True
    return False
