"""The steps about the dealer's hand."""

from collections.abc import Iterator, Sequence
from typing import Final

from rounds.rules.blackjack.dealer import Dealer, against_blackjack
from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.table import Table
from rounds.rules.blackjack.totals import ACE, TEN, TWENTY_ONE, VALUES, total_of
from rounds.rules.cards import Total
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Step, make_step

DEALT: Final = gettext_noop("The dealer had %(upcard)s face up and %(hole)s face down: %(total)s.")
DEALT_BLACKJACK: Final = gettext_noop(
    "The dealer had %(upcard)s face up and %(hole)s face down: a blackjack."
)
LOOKED: Final = gettext_noop(
    "With %(upcard)s face up, the dealer checked the hole card before any hand was played. There"
    " was no blackjack."
)
LOOKED_AND_ENDED: Final = gettext_noop(
    "With %(upcard)s face up, the dealer checked the hole card before any hand was played, and the"
    " round ended."
)
SEEN_LATE: Final = gettext_noop(
    "With %(upcard)s face up, the dealer does not check the hole card beforehand. The blackjack was"
    " therefore revealed after the hands had been played."
)
STOOD: Final = gettext_noop("On %(total)s the dealer takes no further card.")
DREW: Final = gettext_noop(
    "The dealer had to draw %(cards)s, reached %(total)s and took no further card."
)
DREW_AND_BUST: Final = gettext_noop(
    "The dealer had to draw %(cards)s and reached %(total)s, which is above 21."
)
SOFT_SEVENTEEN: Final = gettext_noop(
    "In this game the dealer draws up to 16, and also on a 17 with an Ace counted as eleven."
)
NEED_NOT_DRAW: Final = gettext_noop(
    "No hand still depended on the dealer, so the dealer took no further card."
)

_OPENING: Final = 2


def dealer_cards(table: Table) -> tuple[str, ...]:
    """The dealer's cards by the rule."""
    return tuple(table.streams[DEALER][: len(table.dealer.values)])


def explain_dealer(game: BlackjackGame, table: Table, *, was_played: bool) -> Iterator[Step]:
    """The dealer's whole hand; ``was_played`` is whether the bet's hand took a decision."""
    dealer, cards = table.dealer, dealer_cards(table)
    yield explain_dealer_opening(table)
    yield from _look(game, dealer, cards[0], was_played=was_played)
    if not dealer.has_blackjack:
        yield from _draw(game, dealer, cards)


def explain_dealer_opening(table: Table) -> Step:
    """The dealer's first two cards."""
    cards = dealer_cards(table)[:_OPENING]
    upcard, hole = Cards(cards[:1]), Cards(cards[1:])
    if table.dealer.has_blackjack:
        return make_step(DEALT_BLACKJACK, upcard=upcard, hole=hole)
    return make_step(DEALT, upcard=upcard, hole=hole, total=total_of(cards))


def ended_at_once(game: BlackjackGame, dealer: Dealer) -> bool:
    """Whether the dealer's blackjack ended the round before the plays."""
    return dealer.has_blackjack and against_blackjack(game, dealer).looked_at


def _look(game: BlackjackGame, dealer: Dealer, upcard: str, *, was_played: bool) -> Iterator[Step]:
    """Whether the dealer peeked, if the upcard is an Ace or a ten."""
    value = VALUES[upcard]
    if value not in (ACE, TEN):
        return
    under: AgainstBlackjack = game.under_ace if value == ACE else game.under_ten
    shown = Cards((upcard,))
    if not dealer.has_blackjack:
        if under.looked_at:
            yield make_step(LOOKED, upcard=shown)
    elif not under.looked_at:
        yield make_step(SEEN_LATE, upcard=shown)
    elif not was_played:
        yield make_step(LOOKED_AND_ENDED, upcard=shown)


def _draw(game: BlackjackGame, dealer: Dealer, cards: Sequence[str]) -> Iterator[Step]:
    drawn, total = tuple(cards[_OPENING:]), total_of(cards)
    soft_17 = Total(game.dealer_stands_on, is_soft=True)
    if any(total_of(cards[:count]) == soft_17 for count in range(_OPENING, len(cards))):
        yield make_step(SOFT_SEVENTEEN)
    if not drawn:
        yield make_step(NEED_NOT_DRAW) if dealer.has_to_draw else make_step(STOOD, total=total)
    elif total.points > TWENTY_ONE:
        yield make_step(DREW_AND_BUST, cards=Cards(drawn), total=total)
    else:
        yield make_step(DREW, cards=Cards(drawn), total=total)
