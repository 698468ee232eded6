"""Card values and totals at blackjack, the same on all four sheets.

Only side bets and multiplier cards depend on suits.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rounds.rules.cards import CARDS, RANKS, Total

ACE: Final = 1
TEN: Final = 10
TWENTY_ONE: Final = 21
_AS_ELEVEN: Final = 10
_SOFT_UP_TO: Final = TWENTY_ONE - _AS_ELEVEN

VALUES: Final = {card: min(RANKS.index(card[0]) + 1, TEN) for card in CARDS}
"""An Ace counts one here, and ten more in a soft hand; figures count ten."""

_value_of = VALUES.__getitem__

Values = tuple[int, ...]


def values_of(cards: Iterable[str]) -> Values:
    """The values of cards, in their order."""
    return tuple(map(_value_of, cards))


def total_of(cards: Iterable[str]) -> Total:
    """The best total of cards."""
    return total_of_values(values_of(cards))


def total_of_values(values: Sequence[int]) -> Total:
    """The highest total up to 21 that the values have, or the lowest above it."""
    hard = sum(values)
    if hard <= _SOFT_UP_TO and ACE in values:
        return Total(hard + _AS_ELEVEN, is_soft=True)
    return Total(hard, is_soft=False)
