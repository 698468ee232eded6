"""Cards as the feed writes them: rank and suit in two characters, ``"8H"``."""

from typing import Final, NamedTuple

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
CARDS: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX: Final[dict[str, int]] = {card: index for index, card in enumerate(CARDS)}
"""The index of every card, 0 to 51."""

RED_SUITS: Final = frozenset("HD")


class Total(NamedTuple):
    """The total of a hand; soft if an Ace counts eleven in it."""

    points: int
    is_soft: bool


def is_red(card: str) -> bool:
    """Whether the card's suit is hearts or diamonds."""
    return card[1] in RED_SUITS
