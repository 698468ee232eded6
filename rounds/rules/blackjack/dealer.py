"""The dealer's hand: what he has to draw, and what he had no right to draw."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rounds.rules.anomalies import EXTRA_CARD, MISSING_CARD
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.blackjack.totals import ACE, TWENTY_ONE, VALUES, Total, total_of

_STANDS_ON: Final = 17
_OPENING: Final = 2


class Dealer(NamedTuple):
    """The dealer's hand at the end of the round."""

    cards: tuple[str, ...]
    """Those that he drew by the rule, fewer than two while upcard or hole card is missing."""
    total: int
    has_blackjack: bool


def read_dealer(
    game: BlackjackGame, dealt: Sequence[str], *, must_draw: bool
) -> tuple[Dealer, set[str]]:
    """The dealer's hand and what is wrong with it.

    Where no hand needs it drawing is optional, but a draw once begun goes by the rule (detail 25).
    """
    if len(dealt) < _OPENING:
        return Dealer(tuple(dealt), total_of(dealt).points, has_blackjack=False), {MISSING_CARD}
    owned = _OPENING
    while owned < len(dealt) and _draws(game, total_of(dealt[:owned])):
        owned += 1
    codes = {EXTRA_CARD} if owned < len(dealt) else set()
    total = total_of(dealt[:owned])
    if (must_draw or len(dealt) > _OPENING) and _draws(game, total):
        codes.add(MISSING_CARD)
    has_blackjack = owned == _OPENING and total.points == TWENTY_ONE
    return Dealer(tuple(dealt[:owned]), total.points, has_blackjack), codes


def against_blackjack(game: BlackjackGame, dealer: Dealer) -> AgainstBlackjack:
    """How hands stand against this dealer's blackjack."""
    return game.under_ace if has_ace_up(dealer.cards) else game.under_ten


def has_ace_up(dealt: Sequence[str]) -> bool:
    """Whether the upcard is an Ace, under which insurance is offered."""
    return VALUES[dealt[0]] == ACE


def _draws(game: BlackjackGame, total: Total) -> bool:
    """Whether the dealer draws: to 16, and at some tables on a soft 17."""
    if total.points == _STANDS_ON:
        return game.hits_soft_17 and total.soft
    return total.points < _STANDS_ON
