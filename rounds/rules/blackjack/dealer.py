"""The dealer's hand: the cards that the rule makes the dealer draw."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rounds.rules.anomalies import EXTRA_CARD, MISSING_CARD
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.blackjack.totals import (
    ACE,
    TWENTY_ONE,
    VALUES,
    Values,
    total_of_values,
    values_of,
)
from rounds.rules.cards import Total

_OPENING: Final = 2
_MOST_DRAWN: Final = 17
"""Seventeen cards total at least 17: the rule never takes a further one."""


class Dealer(NamedTuple):
    """The dealer's hand at the end of the round."""

    values: Values
    """Of the cards drawn by the rule; fewer than two if an opening card is missing."""
    points: int
    has_blackjack: bool
    has_to_draw: bool
    """The rule requires another card, which is missing."""


def read_dealer(
    game: BlackjackGame, dealt: Sequence[str], *, must_draw: bool
) -> tuple[Dealer, set[str]]:
    """The dealer's hand and the codes of its anomalies.

    If no hand depends on it, drawing is optional; a draw once begun follows the rule (detail 25).
    """
    dealer = draw_by_rule(game, values_of(dealt[:_MOST_DRAWN]))
    if len(dealt) < _OPENING:
        return dealer, {MISSING_CARD}
    codes = set()
    if len(dealer.values) < len(dealt):
        codes.add(EXTRA_CARD)
    if dealer.has_to_draw and (must_draw or len(dealt) > _OPENING):
        codes.add(MISSING_CARD)
    return dealer, codes


@lru_cache(maxsize=1 << 14)
def draw_by_rule(game: BlackjackGame, dealt: Values) -> Dealer:
    """The hand that the rule makes of these cards."""
    owned = _OPENING
    total = total_of_values(dealt[:owned])
    while _draws(game, total) and owned < len(dealt):
        owned += 1
        total = total_of_values(dealt[:owned])
    has_blackjack = owned == _OPENING and total.points == TWENTY_ONE
    return Dealer(dealt[:owned], total.points, has_blackjack, _draws(game, total))


def against_blackjack(game: BlackjackGame, dealer: Dealer) -> AgainstBlackjack:
    """The rules against this dealer's blackjack."""
    return game.under_ace if dealer.values[0] == ACE else game.under_ten


def has_ace_up(dealt: Sequence[str]) -> bool:
    """Whether the upcard is an Ace, so that insurance is offered."""
    return VALUES[dealt[0]] == ACE


def _draws(game: BlackjackGame, total: Total) -> bool:
    """Whether the dealer draws: below 17, and at some games on a soft 17."""
    if total.points == game.dealer_stands_on:
        return game.hits_soft_17 and total.is_soft
    return total.points < game.dealer_stands_on
