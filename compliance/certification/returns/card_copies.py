"""Deals classified by the multiplicities of their cards.

The number of ways to deal given cards in order depends only on their multiplicities. The 52 cards
are enumerated once; any number of decks is then a small sum.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import TypeVar

from rounds.rules.cards import CARDS

Copies = tuple[int, ...]
"""Multiplicities of the cards, ascending: ``(1, 2)`` is a pair and another card."""
Result = TypeVar("Result", bound=Hashable)


def sort_deals(
    deals: Iterable[Sequence[str]], result_of: Callable[[Sequence[str]], Result]
) -> Counter[tuple[Copies, Result]]:
    """The number of deals by multiplicities and result."""
    return Counter((_copies_of(cards), result_of(cards)) for cards in deals)


def chances_of(
    sorted_deals: Mapping[tuple[Copies, Result], int], *, decks: int | None
) -> dict[Result, Fraction]:
    """The chance of each result; ``decks`` None means infinitely many.

    The deals are complete, or an equal share of each class: the chances add up to one.
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
"""The first card of deals in which only equality of cards counts."""
