"""What cards are worth at blackjack. Shared by all four sheets."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rounds.rules.cards import CARDS, RANKS

ACE: Final = 1
TEN: Final = 10
TWENTY_ONE: Final = 21
_SOFT_BONUS: Final = 10

VALUES: Final = {card: min(RANKS.index(card[0]) + 1, TEN) for card in CARDS}
"""An Ace counts one here, and ten more where a hand can bear it; figures count ten."""


class Total(NamedTuple):
    """The best total of some cards; soft while an Ace counts eleven in it."""

    points: int
    soft: bool


def total_of(cards: Sequence[str]) -> Total:
    """The highest total up to 21 that the cards have, or the lowest above it."""
    hard = 0
    has_ace = False
    for card in cards:
        value = VALUES[card]
        hard += value
        if value == ACE:
            has_ace = True
    if has_ace and hard + _SOFT_BONUS <= TWENTY_ONE:
        return Total(hard + _SOFT_BONUS, soft=True)
    return Total(hard, soft=False)


def is_blackjack(cards: Sequence[str]) -> bool:
    """Whether these two cards are an Ace and a ten-value card, which alone make 21 of two."""
    return total_of(cards).points == TWENTY_ONE
