"""Whether any number of decks could give the return that a sheet declares at its printed odds."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from compliance.certification.declared import DeclaredReturn

AtDecks = Callable[[int | None], Fraction]
"""The return of a bet at its printed odds with so many decks, or with endlessly many (None)."""


class Reach(NamedTuple):
    """How near the declared figure comes to what the printed odds can return."""

    below: int | None
    """The most decks that return less than is declared, None where endlessly many still do."""
    gives: int | None
    """The fewest decks whose return is printed like the declared one."""
    at_most: Fraction
    """What the odds return with endlessly many decks, which is never reached."""


def reach_of(declared: DeclaredReturn, at_decks: AtDecks) -> Reach:
    """How near the declared figure comes, for a bet that every further deck makes better.

    Pairs are such bets: the more copies there are of each card, the less it matters that one of
    them is gone.
    """
    at_most = at_decks(None)
    if at_most <= declared.share and not declared.is_printed_as(at_most):
        return Reach(None, None, at_most)
    decks, share = 1, at_decks(1)
    while share < declared.share and not declared.is_printed_as(share):
        decks += 1
        share = at_decks(decks)
    return Reach(decks - 1, decks if declared.is_printed_as(share) else None, at_most)
