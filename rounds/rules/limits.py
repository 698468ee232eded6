"""The stake limits of a table, which its rounds are held to when they are ingested (detail 14)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.facts import Bet

Limits = Mapping[str, tuple[int, int]]
"""Least and greatest stake in cents, both included, for each bet kind that has a limit."""

NO_LIMITS: Final[Limits] = MappingProxyType({})
"""Replay knows no table."""


def breaks_limits(bet: Bet, limits: Limits) -> bool:
    """Whether the bet stakes less or more than the limits of its kind."""
    least, most = limits.get(bet.kind, (bet.stake_cents, bet.stake_cents))
    return not least <= bet.stake_cents <= most
