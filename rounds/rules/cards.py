"""Cards as the feed writes them: rank and suit in two characters, ``"8H"``."""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
CARDS: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX: Final[dict[str, int]] = {card: index for index, card in enumerate(CARDS)}
"""Every card's place from 0 to 51; a shoe counts its cards in this order."""

RED_SUITS: Final = frozenset("HD")


def is_red(card: str) -> bool:
    """Whether the card's suit is hearts or diamonds."""
    return card[1] in RED_SUITS
