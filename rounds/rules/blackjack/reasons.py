"""The reasons of grades of the blackjack family, with the texts of their citations.

The headings differ by sheet, and not every game has every rule.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.blackjack.bets import ON_OWN_BOX, WITHOUT_MAIN, WITHOUT_OWNER
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
)
from rounds.rules.citation import Citation, gettext_noop
from rounds.rules.void import DISCONNECTED, LATE, MALFUNCTION, OUT_OF_TIME

WIN: Final = "win"
BLACKJACK: Final = "blackjack"
CHARLIE: Final = "charlie"
MULTIPLIED_WIN: Final = "multiplied-win"
MULTIPLIED_BLACKJACK: Final = "multiplied-blackjack"
PUSH: Final = "push"
PUSH_OF_BLACKJACKS: Final = "push-of-blackjacks"
PUSH_ON_BUST: Final = "push-on-bust"
BUST: Final = "bust"
LOSE: Final = "lose"
LOSE_TO_BLACKJACK: Final = "lose-to-blackjack"
DOUBLE_RETURNED: Final = "double-returned"
GOLDEN_CHIP: Final = "golden-chip"
INSURANCE_WON: Final = "insurance-won"
INSURANCE_LOST: Final = "insurance-lost"
BONUS_WON: Final = "bonus-won"
BONUS_NOT_REACHED: Final = "bonus-not-reached"
BONUS_NOT_PLAYED: Final = "void-bonus-not-played"

ANY_BUST: Final = (
    gettext_noop("Dealer bust that ties: push"),
    gettext_noop(
        "The dealer went bust in a way that this game counts as a tie. Remaining hands push, except"
        " blackjacks and hands with a multiplier card, which win."
    ),
)
"""True of every bust that pushes; replaced where the declaration is known."""
_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    WIN: (
        gettext_noop("Winning hand: %(odds)s"),
        gettext_noop(
            "The hand is nearer to 21 than the dealer's hand, or only the dealer went bust. It pays"
            " %(odds)s."
        ),
    ),
    BLACKJACK: (
        gettext_noop("Blackjack: %(odds)s"),
        gettext_noop(
            "An Ace and a ten-value card as the first two cards, not split or exchanged, and the"
            " dealer has no blackjack. It pays %(odds)s."
        ),
    ),
    CHARLIE: (
        gettext_noop("%(cards)s-card Charlie: %(odds)s"),
        gettext_noop(
            "%(cards)s cards without going bust win %(odds)s unless the dealer has a blackjack."
        ),
    ),
    MULTIPLIED_WIN: (
        gettext_noop("Winning hand with multiplier cards"),
        gettext_noop(
            "The winning hand contains multiplier cards. It pays %(odds)s on the total stake of the"
            " hand, times the sum of the multipliers; each different card counts once. The stake is"
            " not returned."
        ),
    ),
    MULTIPLIED_BLACKJACK: (
        gettext_noop("Blackjack with multiplier cards"),
        gettext_noop(
            "The blackjack contains multiplier cards. It pays %(odds)s on the stake, times the sum"
            " of the multipliers; each different card counts once. The stake is not returned."
        ),
    ),
    PUSH: (
        gettext_noop("Equal totals: push"),
        gettext_noop("The hand and the dealer's hand have the same total. The stake is returned."),
    ),
    PUSH_OF_BLACKJACKS: (
        gettext_noop("Two blackjacks: push"),
        gettext_noop("The hand and the dealer both have a blackjack. The stake is returned."),
    ),
    PUSH_ON_BUST: ANY_BUST,
    BUST: (
        gettext_noop("Bust"),
        gettext_noop("The hand is above 21 and loses, regardless of the dealer's hand."),
    ),
    LOSE: (
        gettext_noop("The dealer is nearer to 21"),
        gettext_noop("The dealer's total is higher and not above 21. The hand loses."),
    ),
    LOSE_TO_BLACKJACK: (
        gettext_noop("The dealer has a blackjack"),
        gettext_noop(
            "A dealer blackjack beats every hand that is not a blackjack. Everything staked on the"
            " hand is lost."
        ),
    ),
    DOUBLE_RETURNED: (
        gettext_noop("The dealer has a blackjack: the double is returned"),
        gettext_noop(
            "A dealer blackjack beats the hand. The raise of the double is returned, the stake is"
            " lost."
        ),
    ),
    GOLDEN_CHIP: (
        gettext_noop("Golden chip"),
        gettext_noop(
            "The stake was a golden chip, which belongs to the house: a win pays the winnings"
            " without it, a push returns the chip."
        ),
    ),
    INSURANCE_WON: (
        gettext_noop("Insurance: %(odds)s"),
        gettext_noop("The dealer's first two cards are a blackjack. Insurance pays %(odds)s."),
    ),
    INSURANCE_LOST: (
        gettext_noop("Insurance lost"),
        gettext_noop("The dealer's first two cards are not a blackjack. Insurance is lost."),
    ),
    PERFECT_PAIR: (
        gettext_noop("Perfect pair: %(odds)s"),
        gettext_noop("Two cards of the same rank and suit."),
    ),
    COLOURED_PAIR: (
        gettext_noop("Coloured pair: %(odds)s"),
        gettext_noop("Two cards of the same rank and colour, of different suits."),
    ),
    MIXED_PAIR: (
        gettext_noop("Mixed pair: %(odds)s"),
        gettext_noop("Two cards of the same rank, one red and one black."),
    ),
    NO_PAIR: (
        gettext_noop("No pair"),
        gettext_noop("The two cards have different ranks. The bet loses."),
    ),
    SUITED_TRIPS: (
        gettext_noop("Suited three of a kind: %(odds)s"),
        gettext_noop("The first two cards and the upcard are three identical cards."),
    ),
    STRAIGHT_FLUSH: (
        gettext_noop("Straight flush: %(odds)s"),
        gettext_noop("The first two cards and the upcard are in sequence and of one suit."),
    ),
    TRIPS: (
        gettext_noop("Three of a kind: %(odds)s"),
        gettext_noop("The first two cards and the upcard have the same rank."),
    ),
    STRAIGHT: (
        gettext_noop("Straight: %(odds)s"),
        gettext_noop("The first two cards and the upcard are in sequence."),
    ),
    FLUSH: (
        gettext_noop("Flush: %(odds)s"),
        gettext_noop("The first two cards and the upcard are of one suit."),
    ),
    NO_COMBINATION: (
        gettext_noop("No combination"),
        gettext_noop("The first two cards and the upcard are not a combination. The bet loses."),
    ),
    BONUS_WON: (
        gettext_noop("Mega Fire Blaze bonus"),
        gettext_noop(
            "The round's points earned the bonus. It pays the stake times the total multiplier,"
            " including the stake."
        ),
    ),
    BONUS_NOT_REACHED: (
        gettext_noop("Not enough Fire Blaze points"),
        gettext_noop("The round's points do not reach the lowest level. The bet loses."),
    ),
    BONUS_NOT_PLAYED: (
        gettext_noop("The bonus was not played: void"),
        gettext_noop(
            "The points earned the bonus, but a malfunction prevented it from being played. The"
            " stake is refunded; all other bets are paid by the cards."
        ),
    ),
    DISCONNECTED: (
        gettext_noop("Connection lost before betting closed: void"),
        gettext_noop(
            "The player disconnected before betting closed: the bets of the round are refunded."
        ),
    ),
    MALFUNCTION: (
        gettext_noop("Malfunction: the round is void"),
        gettext_noop(
            "The studio declared a malfunction: the round is void and all stakes are refunded,"
            " including raises and insurance."
        ),
    ),
    WITHOUT_OWNER: (
        gettext_noop("Bet behind without a hand: void"),
        gettext_noop("The hand that the bet was to follow was not played. The stake is refunded."),
    ),
    ON_OWN_BOX: (
        gettext_noop("Bet behind on the customer's own hand: void"),
        gettext_noop("A customer cannot bet behind on their own hand. The stake is refunded."),
    ),
    WITHOUT_MAIN: (
        gettext_noop("Main bet void: void"),
        gettext_noop("The bet depended on a main bet that is void. The stake is refunded."),
    ),
}


_REST_ON: Final[Mapping[str, tuple[str, ...]]] = {
    BLACKJACK: ("winnings-rounding", "dealer-draw-optional"),
    MULTIPLIED_WIN: ("winnings-rounding",),
    MULTIPLIED_BLACKJACK: ("winnings-rounding",),
    BUST: ("dealer-draw-optional",),
    DOUBLE_RETURNED: ("returned-double-of-a-bust-hand",),
    GOLDEN_CHIP: ("golden-chip-value", "golden-chip-raise", "golden-chip-bets"),
    INSURANCE_WON: ("insurance-odd-cent",),
    INSURANCE_LOST: ("insurance-odd-cent",),
    PERFECT_PAIR: ("rank-or-value",),
    COLOURED_PAIR: ("rank-or-value",),
    MIXED_PAIR: ("rank-or-value",),
    NO_PAIR: ("rank-or-value",),
    SUITED_TRIPS: ("rank-or-value",),
    STRAIGHT_FLUSH: ("straight-ace",),
    TRIPS: ("rank-or-value", "different-suits"),
    STRAIGHT: ("straight-ace", "different-suits"),
    FLUSH: ("straight-ace",),
    NO_COMBINATION: ("rank-or-value", "straight-ace", "different-suits"),
    LATE: ("betting-time-ends", "insurance-time", "void-bet-leaves-nothing"),
    DISCONNECTED: ("betting-time-ends", "void-bet-leaves-nothing"),
    WITHOUT_MAIN: ("void-main-bet",),
}
"""Readings shared by all games with the rule."""


def cite(
    sheet: str,
    headings: Mapping[str, str],
    *,
    rests_on: Mapping[str, tuple[str, ...]],
) -> Mapping[str, Citation]:
    """The citations of a game by key, each with the heading of its sheet.

    A heading ``"FEED: ..."`` is one of the feed contract, on which the sheet is silent.
    ``rests_on`` are keys of the ambiguity register for rules of this game, in addition to those of
    the whole family. ``rule_set_of`` adds the figures.
    """
    cited = {key: _citation(sheet, heading, *_TEXTS[key]) for key, heading in headings.items()}
    every = {**cited, LATE: OUT_OF_TIME}
    return MappingProxyType(
        {
            key: rule._replace(rests_on=(*rests_on.get(key, ()), *_REST_ON.get(key, ())))
            for key, rule in every.items()
        }
    )


def _citation(sheet: str, heading: str, title: str, summary: str) -> Citation:
    source, separator, silent = heading.partition("FEED: ")
    if separator and not source:
        return Citation("FEED", silent, title, summary)
    return Citation(sheet, heading, title, summary)
