"""The step of a hand's outcome against the dealer, with its rule."""

from collections.abc import Mapping
from typing import Final

from rounds.rules.blackjack import bust
from rounds.rules.blackjack.bust import BustPushes
from rounds.rules.blackjack.dealer import Dealer
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import Hand
from rounds.rules.blackjack.pay import Result
from rounds.rules.blackjack.reasons import (
    BLACKJACK,
    BUST,
    CHARLIE,
    DOUBLE_RETURNED,
    LOSE,
    LOSE_TO_BLACKJACK,
    MULTIPLIED_BLACKJACK,
    MULTIPLIED_WIN,
    PUSH,
    PUSH_OF_BLACKJACKS,
    PUSH_ON_BUST,
)
from rounds.rules.blackjack.totals import TWENTY_ONE
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import HandName, Step, make_step

NEARER: Final = gettext_noop(
    "%(hand)s has %(total)s and is nearer to 21 than the dealer with %(dealer)s: it wins."
)
DEALER_BUST: Final = gettext_noop(
    "%(hand)s stood with %(total)s and the dealer is above 21: it wins."
)
THE_BLACKJACK: Final = gettext_noop(
    "%(hand)s is a blackjack and the dealer has none: it wins, regardless of the dealer's further"
    " cards."
)
THE_CHARLIE: Final = gettext_noop(
    "%(hand)s reached %(count)s cards without exceeding 21 and the dealer has no blackjack: it"
    " wins."
)
MULTIPLIED_ALL_THE_SAME: Final = gettext_noop(
    "%(hand)s stood with %(total)s. The dealer went above 21 in a way that this game counts as a"
    " tie, but a hand with a multiplier card wins."
)
LEVEL: Final = gettext_noop("%(hand)s and the dealer both have %(total)s: a tie.")
BOTH_BLACKJACK: Final = gettext_noop("%(hand)s and the dealer both have a blackjack: a tie.")
BUST_WITH_THREE: Final = gettext_noop(
    "%(hand)s stood with %(total)s, but the dealer went above 21 with exactly three cards: a tie."
)
BUST_THAT_TIES: Final = gettext_noop(
    "%(hand)s stood with %(total)s. The dealer went above 21 in a way that this game counts as a"
    " tie."
)
BUST_WITH_22: Final = gettext_noop(
    "%(hand)s stood with %(total)s, but the dealer went above 21 with exactly 22: a tie."
)
ABOVE_21: Final = gettext_noop(
    "%(hand)s is above 21 and loses immediately, regardless of the dealer's hand."
)
BEHIND: Final = gettext_noop(
    "%(hand)s has %(total)s and the dealer is nearer to 21 with %(dealer)s: it loses."
)
BEATEN_BY_BLACKJACK: Final = gettext_noop(
    "%(hand)s is not a blackjack and loses to the dealer's blackjack, with everything staked on it."
)
DOUBLE_SAVED: Final = gettext_noop(
    "%(hand)s loses to the dealer's blackjack, but the raise of the double is returned."
)

_ON_BUST: Final[Mapping[BustPushes, str]] = {
    bust.with_three_cards: BUST_WITH_THREE,
    bust.with_22: BUST_WITH_22,
}
_TEXTS: Final = {
    BLACKJACK: THE_BLACKJACK,
    MULTIPLIED_BLACKJACK: THE_BLACKJACK,
    PUSH: LEVEL,
    PUSH_OF_BLACKJACKS: BOTH_BLACKJACK,
    BUST: ABOVE_21,
    LOSE: BEHIND,
    CHARLIE: THE_CHARLIE,
    LOSE_TO_BLACKJACK: BEATEN_BY_BLACKJACK,
    DOUBLE_RETURNED: DOUBLE_SAVED,
}


def explain_outcome(
    game: BlackjackGame, name: HandName, hand: Hand, dealer: Dealer, result: Result
) -> Step:
    """The outcome of a hand with this result."""
    return make_step(
        _text_of(game, dealer, result.reason),
        rule=result.reason,
        hand=name,
        total=hand.points,
        dealer=dealer.points,
        count=len(hand.cards),
    )


def _text_of(game: BlackjackGame, dealer: Dealer, reason: str) -> str:
    if reason == PUSH_ON_BUST:
        return _ON_BUST.get(game.bust_pushes, BUST_THAT_TIES)
    if reason in _TEXTS:
        return _TEXTS[reason]
    if dealer.points <= TWENTY_ONE:
        return NEARER
    if reason == MULTIPLIED_WIN and game.bust_pushes(dealer.values):
        return MULTIPLIED_ALL_THE_SAME
    return DEALER_BUST
