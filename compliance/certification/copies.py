"""Deals counted by which of their cards are copies of each other.

How often some cards can be dealt in an order depends only on how many copies of each are among
them. So the 52 kinds of cards are gone through once, and any number of decks is a small sum.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import TypeVar

from rounds.rules.cards import CARDS

Copies = tuple[int, ...]
"""How many copies of each kind are among the cards, ascending: ``(1, 2)`` is a pair and another."""
Result = TypeVar("Result", bound=Hashable)


def sort_deals(
    deals: Iterable[Sequence[str]], result_of: Callable[[Sequence[str]], Result]
) -> Counter[tuple[Copies, Result]]:
    """How many of the deals have these copies and this result."""
    return Counter((_copies_of(cards), result_of(cards)) for cards in deals)


def chances_of(
    sorted_deals: Mapping[tuple[Copies, Result], int], *, decks: int | None
) -> dict[Result, Fraction]:
    """How likely each result is with so many decks, or with endlessly many (None).

    All deals have to be there, or the same share of each kind of them: the chances add up to one.
    """
    weights: dict[Result, int] = {}
    for (copies, result), deals in sorted_deals.items():
        weight = 1 if decks is None else prod(perm(decks, number) for number in copies)
        weights[result] = weights.get(result, 0) + deals * weight
    whole = sum(weights.values())
    return {result: Fraction(weight, whole) for result, weight in weights.items()}


def _copies_of(cards: Sequence[str]) -> Copies:
    if len(set(cards)) == len(cards):
        return (1,) * len(cards)
    return tuple(sorted(Counter(cards).values()))


ANY_FIRST: tuple[str, ...] = CARDS[:1]
"""Instead of all 52 first cards, where only likeness counts: then they are all alike."""
