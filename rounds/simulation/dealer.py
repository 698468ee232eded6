"""What the dealer does: look at the hole card, and draw by the rule."""

from random import Random
from typing import Final, Protocol

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import TWENTY_ONE, total_of

_STANDS_ON: Final = 17


class Felt(Protocol):
    """A table, or the version without one, where the next card comes from."""

    rng: Random
    cut_off: set[int]
    """Customers, by number, who decide nothing any more."""

    @property
    def is_short_of_cards(self) -> bool:
        """Whether players are asked no more, so that the dealer can end the round."""

    def deal(self, place: str) -> str:
        """The next card, for a place."""

    def wait(self, low_ms: int, high_ms: int) -> None:
        """Let time pass while people think."""


def looks_and_has_blackjack(hand: list[str], rules: BlackjackGame) -> bool:
    """Whether the dealer looks under the upcard and the round ends there."""
    under = rules.under_ace if hand[0][0] == "A" else rules.under_ten
    return under.looked_at and total_of(hand).points == TWENTY_ONE


def complete_hand(felt: Felt, hand: list[str], rules: BlackjackGame) -> None:
    """Draw until the rule says stand; the hand keeps the cards."""
    while True:
        total, soft = total_of(hand)
        hits_soft = soft and total == _STANDS_ON and rules.hits_soft_17
        if total >= _STANDS_ON and not hits_soft:
            return
        hand.append(felt.deal("D"))
