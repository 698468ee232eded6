"""The steps of insurance and side bets."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rounds.rules.blackjack.bets import seat_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.explained.dealer import explain_dealer_opening
from rounds.rules.blackjack.grading import side_bets_of
from rounds.rules.blackjack.interpret_round import Reading
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.reasons import GOLDEN_CHIP, INSURANCE_LOST, INSURANCE_WON
from rounds.rules.blackjack.side_bets import (
    COLOURED_PAIR,
    FLUSH,
    MIXED_PAIR,
    NO_COMBINATION,
    NO_PAIR,
    PERFECT_PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITED_TRIPS,
    TRIPS,
    Opening,
    box_and_upcard,
    box_pair,
    dealer_pair,
)
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Money, Step, make_step
from rounds.rules.explained.money import explain_payment
from rounds.rules.facts import Bet

HALF_OF_STAKE: Final = gettext_noop(
    "Insurance costs half of your initial stake of %(main)s on the hand: %(stake)s."
)
HALF_ROUNDED_DOWN: Final = gettext_noop(
    "Insurance costs half of your initial stake of %(main)s on the hand, rounded down to the cent:"
    " %(stake)s."
)
INSURANCE_IS_DUE: Final = gettext_noop(
    "Insurance is decided only by the dealer's first two cards. They are a blackjack, so it wins."
)
INSURANCE_IS_NOT_DUE: Final = gettext_noop(
    "Insurance is decided only by the dealer's first two cards. They are not a blackjack, so it"
    " loses."
)
OF_THE_BOX: Final = gettext_noop(
    "This bet is decided by the first two cards of box %(box)s: %(cards)s."
)
OF_THE_DEALER: Final = gettext_noop(
    "This bet is decided by the dealer's first two cards: %(cards)s."
)
WITH_THE_UPCARD: Final = gettext_noop(
    "This bet is decided by the first two cards of box %(box)s and the dealer's first card:"
    " %(cards)s."
)
OF_BOX_AND_DEALER: Final = gettext_noop(
    "This bet is decided by the first two cards of box %(box)s and of the dealer: %(cards)s."
)
THEY_WIN: Final = gettext_noop("They are a combination with which this bet wins.")
THEY_LOSE: Final = gettext_noop("They are not a combination with which this bet wins.")
COMBINATIONS: Final = {
    PERFECT_PAIR: gettext_noop("They have the same rank and the same suit: a perfect pair."),
    COLOURED_PAIR: gettext_noop("They have the same rank and the same colour: a coloured pair."),
    MIXED_PAIR: gettext_noop("They have the same rank and different colours: a mixed pair."),
    NO_PAIR: gettext_noop("They have different ranks and are not a pair. The bet loses."),
    SUITED_TRIPS: gettext_noop("They are three identical cards: suited three of a kind."),
    STRAIGHT_FLUSH: gettext_noop("They are in sequence and of one suit: a straight flush."),
    TRIPS: gettext_noop("They have the same rank: three of a kind."),
    STRAIGHT: gettext_noop("They are in sequence: a straight."),
    FLUSH: gettext_noop("They are of one suit: a flush."),
    NO_COMBINATION: gettext_noop(
        "They are neither three of a kind, nor in sequence, nor of one suit. The bet loses."
    ),
}

_LOOKS_AT: Final[Mapping[Callable[[Opening], str], str]] = {
    box_pair: OF_THE_BOX,
    dealer_pair: OF_THE_DEALER,
    box_and_upcard: WITH_THE_UPCARD,
}


def explain_insurance(game: BlackjackGame, reading: Reading, bet: Bet) -> Iterator[Step]:
    """The steps of an insurance that counts."""
    table = reading.table_of(bet)
    main_cents = reading.classified.mains[seat_of(bet)].stake_cents
    text = HALF_ROUNDED_DOWN if main_cents % 2 else HALF_OF_STAKE
    yield make_step(text, stake=Money(bet.stake_cents), main=Money(main_cents))
    yield explain_dealer_opening(table)
    won = table.dealer.has_blackjack
    if won:
        yield make_step(INSURANCE_IS_DUE, rule=INSURANCE_WON)
    else:
        yield make_step(INSURANCE_IS_NOT_DUE, rule=INSURANCE_LOST)
    yield from explain_payment(bet, game.insurance_pays if won else None, chip_rule=GOLDEN_CHIP)


def explain_side_bet(game: BlackjackGame, reading: Reading, bet: Bet) -> Iterator[Step]:
    """The steps of a side bet that counts, decided by the live cards."""
    streams, box = reading.live.streams, bet.box or 0
    first, second = streams[str(box)][:2]
    upcard, hole_card = streams[DEALER][:2]
    side_bet = side_bets_of(game)[bet.kind]
    combination = side_bet.combination(Opening((first, second), (upcard, hole_card)))
    wins = side_bet.pays.get(combination)
    text = _LOOKS_AT.get(side_bet.combination, OF_BOX_AND_DEALER)
    looked_at = {
        OF_THE_BOX: (first, second),
        OF_THE_DEALER: (upcard, hole_card),
        WITH_THE_UPCARD: (first, second, upcard),
        OF_BOX_AND_DEALER: (first, second, upcard, hole_card),
    }
    yield make_step(text, box=box, cards=Cards(looked_at[text]))
    text = COMBINATIONS.get(combination, THEY_WIN if wins else THEY_LOSE)
    yield make_step(text, rule=combination)
    yield from explain_payment(bet, wins, chip_rule=GOLDEN_CHIP)
