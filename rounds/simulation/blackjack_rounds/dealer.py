"""The simulated dealer: peeking at the hole card, and drawing by the rule."""

from random import Random
from typing import Protocol

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import TWENTY_ONE, total_of


class CardSource(Protocol):
    """The source of the next card: a table, or the cards of a hand finished off line."""

    rng: Random
    cut_off: set[int]
    """The numbers of disconnected customers, who decide nothing."""

    @property
    def is_short_of_cards(self) -> bool:
        """Whether players must stand, so that the dealer can complete the round."""

    def deal(self, place: str) -> str:
        """The next card, for a place."""

    def wait(self, low_ms: int, high_ms: int) -> None:
        """Let time pass for a decision."""


def looks_and_has_blackjack(hand: list[str], rules: BlackjackGame) -> bool:
    """Whether the dealer peeks and has a blackjack, which ends the round."""
    under = rules.under_ace if hand[0][0] == "A" else rules.under_ten
    return under.looked_at and total_of(hand).points == TWENTY_ONE


def complete_hand(source: CardSource, hand: list[str], rules: BlackjackGame) -> None:
    """Draw by the rule; appends the cards to the hand."""
    while True:
        total, soft = total_of(hand)
        hits_soft = soft and total == rules.dealer_stands_on and rules.hits_soft_17
        if total >= rules.dealer_stands_on and not hits_soft:
            return
        hand.append(source.deal("D"))
