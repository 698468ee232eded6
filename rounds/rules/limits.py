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
    """Whether one of the bets stakes less or more than the limits of its kind.

    Few stakes make up most bets, so that each is compared once.
    """
    for kind, stake_cents in {(bet.kind, bet.stake_cents) for bet in bets}:
        least, most = limits.get(kind, (stake_cents, stake_cents))
        if not least <= stake_cents <= most:
            return True
    return False
