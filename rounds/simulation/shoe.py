"""The physical shoe: shuffled decks, a cut card near their end, and the burn."""

from collections.abc import Callable
from random import Random
from typing import Final

from rounds.rules.cards import CARDS
from rounds.simulation.chance import between, shuffle

_CUT_FROM_END: Final = (84, 124)
"""About two decks ([BAC] Mescolatura); no hand puts the cut card on the same spot twice."""


class ShuffledShoe:
    """Decks shuffled together, which leave one card at a time; ``rng`` does the shuffling."""

    def __init__(self, *, decks: int, rng: Random) -> None:
        self._cards = list(CARDS) * decks
        shuffle(rng, self._cards)
        self._cut_from_end = between(rng, *_CUT_FROM_END)
        self.draw: Callable[[], str] = self._cards.pop
        """The next card, which leaves the shoe. IndexError when none is left."""

    @property
    def remaining(self) -> int:
        """How many cards are left."""
        return len(self._cards)

    @property
    def cut_card_is_out(self) -> bool:
        """Whether the cut card has come: the round goes on, the next one needs a new shoe."""
        return len(self._cards) <= self._cut_from_end

    def holds(self, card: str) -> bool:
        """Whether such a card is still to come."""
        return card in self._cards

    def discard(self, count: int) -> None:
        """Let cards leave the shoe that nobody sees."""
        for _ in range(count):
            self.draw()
