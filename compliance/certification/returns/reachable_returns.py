"""Whether any number of decks gives the declared return at the printed odds."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from compliance.certification.returns.declared_returns import DeclaredReturn

AtDecks = Callable[[int | None], Fraction]
"""The return at the printed odds by number of decks; None means infinitely many."""


class Reach(NamedTuple):
    """How the declared return compares with those of all numbers of decks."""

    below: int | None
    """The most decks that return less than declared; None if infinitely many still do."""
    gives: int | None
    """The fewest decks whose return rounds to the declared one."""
    at_most: Fraction
    """The limit for infinitely many decks."""


def reach_of(declared: DeclaredReturn, at_decks: AtDecks) -> Reach:
    """Compares the declared return with all numbers of decks.

    The return has to grow with the number of decks, as it does for pair bets.
    """
    at_most = at_decks(None)
    if at_most <= declared.share and not declared.is_printed_as(at_most):
        return Reach(None, None, at_most)
    decks, share = 1, at_decks(1)
    while share < declared.share and not declared.is_printed_as(share):
        decks += 1
        share = at_decks(decks)
    return Reach(decks - 1, decks if declared.is_printed_as(share) else None, at_most)
