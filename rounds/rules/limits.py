"""The stake limits of a table, which its rounds are held to when they are ingested (detail 14)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.facts import Bet

Limits = Mapping[str, tuple[int, int]]
"""Least and greatest stake in cents, both included, for each bet kind that has a limit."""

NO_LIMITS: Final[Limits] = MappingProxyType({})
"""Replay knows no table."""


def limits_are_broken(bets: Iterable[Bet], limits: Limits) -> bool:
    """Whether one of the bets stakes less or more than the limits of its kind."""
    for bet in bets:
        least, most = limits.get(bet.kind, (bet.stake_cents, bet.stake_cents))
        if not least <= bet.stake_cents <= most:
            return True
    return False
