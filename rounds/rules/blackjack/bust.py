"""Busts of the dealer that do not pay: each one a small rule of its own sheet."""

from collections.abc import Callable, Sequence
from typing import Final

from rounds.rules.blackjack.totals import total_of

BustPushes = Callable[[Sequence[str]], bool]
"""Whether the dealer's bust cards push the hands that stand."""

_THREE_CARDS: Final = 3
_TWENTY_TWO: Final = 22


def never(_dealer: Sequence[str]) -> bool:
    """Every bust pays."""
    return False


def with_three_cards(dealer: Sequence[str]) -> bool:
    """[QB] Push e mani sballate: a bust with exactly three cards."""
    return len(dealer) == _THREE_CARDS


def with_22(dealer: Sequence[str]) -> bool:
    """[ZAP] introduction and Istruzioni di gioco: a bust with exactly 22."""
    return total_of(dealer).points == _TWENTY_TWO
