"""A simulated physical shoe: shuffled decks with a cut card near their end."""

from collections.abc import Callable
from random import Random
from typing import Final

from rounds.rules.cards import CARDS
from rounds.simulation.chance import between, shuffle

_CUT_FROM_END: Final = (84, 124)
"""About two decks ([BAC] Mescolatura); the position of the cut card varies."""


class ShuffledShoe:
    """Decks shuffled together."""

    def __init__(self, *, decks: int, rng: Random) -> None:
        self._cards = list(CARDS) * decks
        shuffle(rng, self._cards)
        self._cut_from_end = between(rng, *_CUT_FROM_END)
        self.draw: Callable[[], str] = self._cards.pop
        """Draws the next card. Raises IndexError if none is left."""

    @property
    def remaining(self) -> int:
        """The number of cards left."""
        return len(self._cards)

    @property
    def cut_card_is_out(self) -> bool:
        """Whether the cut card has been reached: the next round needs a new shoe."""
        return len(self._cards) <= self._cut_from_end

    def holds(self, card: str) -> bool:
        """Whether a copy of the card is left."""
        return card in self._cards

    def discard(self, count: int) -> None:
        """Draw cards face down."""
        for _ in range(count):
            self.draw()
