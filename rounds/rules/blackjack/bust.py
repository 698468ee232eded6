"""Conditions under which a bust of the dealer pushes, one for each rule of a sheet."""

from collections.abc import Callable
from typing import Final

from rounds.rules.blackjack.totals import Values

BustPushes = Callable[[Values], bool]
"""Whether the dealer's cards, which are bust, push."""

_THREE_CARDS: Final = 3
_TWENTY_TWO: Final = 22


def never(_dealer: Values) -> bool:
    """Every bust pays."""
    return False


def with_three_cards(dealer: Values) -> bool:
    """[QB] Push e mani sballate: a bust with exactly three cards."""
    return len(dealer) == _THREE_CARDS


def with_22(dealer: Values) -> bool:
    """[ZAP] introduction and Istruzioni di gioco: a bust with exactly 22."""
    return sum(dealer) == _TWENTY_TWO
