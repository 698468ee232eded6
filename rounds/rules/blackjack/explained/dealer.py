"""What the dealer had, and why he drew or did not."""

from collections.abc import Iterator, Sequence
from typing import Final

from rounds.rules.blackjack.dealer import Dealer, against_blackjack
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.table import Table
from rounds.rules.blackjack.totals import ACE, TEN, TWENTY_ONE, VALUES, Total, total_of
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Step, say

DEALT: Final = gettext_noop("The dealer had %(upcard)s face up and %(hole)s face down: %(total)s.")
DEALT_BLACKJACK: Final = gettext_noop(
    "The dealer had %(upcard)s face up and %(hole)s face down: a blackjack."
)
LOOKED: Final = gettext_noop(
    "With %(upcard)s face up, the dealer looked at the other card before any hand was played and"
    " found no blackjack."
)
LOOKED_AND_ENDED: Final = gettext_noop(
    "With %(upcard)s face up, the dealer looked at the other card before any hand was played, and"
    " the round ended there."
)
SEEN_LATE: Final = gettext_noop(
    "With %(upcard)s face up, the dealer does not look at the other card beforehand, so the"
    " blackjack was seen only after the hands had been played."
)
STOOD: Final = gettext_noop("On %(total)s the dealer takes no further card.")
DREW: Final = gettext_noop(
    "The dealer had to draw %(cards)s, came to %(total)s and took no further card."
)
DREW_AND_BUST: Final = gettext_noop(
    "The dealer had to draw %(cards)s and came to %(total)s, which is above 21."
)
SOFT_SEVENTEEN: Final = gettext_noop(
    "At this game the dealer draws up to 16, and also on a 17 with an Ace counted as eleven."
)
NEED_NOT_DRAW: Final = gettext_noop(
    "No hand depended on it any more, so the dealer took no further card."
)

_OPENING: Final = 2
_SEVENTEEN: Final = Total(17, is_soft=True)


def dealer_cards(table: Table) -> tuple[str, ...]:
    """The cards that the dealer had by the rule."""
    return tuple(table.streams[DEALER][: len(table.dealer.values)])


def tell_dealer(game: BlackjackGame, table: Table, *, was_played: bool) -> Iterator[Step]:
    """The dealer's whole hand; ``was_played`` says whether the bet's hand took a decision."""
    dealer, cards = table.dealer, dealer_cards(table)
    yield tell_opening(table)
    yield from _look(game, dealer, cards[0], was_played=was_played)
    if not dealer.has_blackjack:
        yield from _draw(dealer, cards)


def tell_opening(table: Table) -> Step:
    """The dealer's first two cards."""
    cards = dealer_cards(table)[:_OPENING]
    upcard, hole = Cards(cards[:1]), Cards(cards[1:])
    if table.dealer.has_blackjack:
        return say(DEALT_BLACKJACK, upcard=upcard, hole=hole)
    return say(DEALT, upcard=upcard, hole=hole, total=total_of(cards))


def ended_at_once(game: BlackjackGame, dealer: Dealer) -> bool:
    """Whether the dealer's blackjack was seen before the plays."""
    return dealer.has_blackjack and against_blackjack(game, dealer).looked_at


def _look(game: BlackjackGame, dealer: Dealer, upcard: str, *, was_played: bool) -> Iterator[Step]:
    """Whether the dealer looked for a blackjack, where his upcard could begin one."""
    value = VALUES[upcard]
    if value not in (ACE, TEN):
        return
    under: AgainstBlackjack = game.under_ace if value == ACE else game.under_ten
    shown = Cards((upcard,))
    if not dealer.has_blackjack:
        if under.looked_at:
            yield say(LOOKED, upcard=shown)
    elif not under.looked_at:
        yield say(SEEN_LATE, upcard=shown)
    elif not was_played:
        yield say(LOOKED_AND_ENDED, upcard=shown)


def _draw(dealer: Dealer, cards: Sequence[str]) -> Iterator[Step]:
    drawn, total = tuple(cards[_OPENING:]), total_of(cards)
    if any(total_of(cards[:count]) == _SEVENTEEN for count in range(_OPENING, len(cards))):
        yield say(SOFT_SEVENTEEN)
    if not drawn:
        yield say(NEED_NOT_DRAW) if dealer.has_to_draw else say(STOOD, total=total)
    elif total.points > TWENTY_ONE:
        yield say(DREW_AND_BUST, cards=Cards(drawn), total=total)
    else:
        yield say(DREW, cards=Cards(drawn), total=total)
