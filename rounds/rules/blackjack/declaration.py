"""What a blackjack game declares: every point on which the four printed sheets differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from rounds.rules.blackjack.bust import BustPushes
from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.blackjack.side_bets import SideBet
from rounds.rules.odds import Odds


class Seating(Enum):
    """Whom a box belongs to."""

    OWNED = "one owner a box, any number of bets behind"
    SHARED = "any number of players a box, each with decisions of his own"
    ONE_PLAYER = "one player has all boxes"


class Malfunction(Enum):
    """What becomes of a round that the studio declares broken."""

    VOIDS = "the round is void"
    VOIDS_INCOMPLETE = "the round is void when a card is missing, else it pays what came of it"


class AgainstBlackjack(NamedTuple):
    """How hands stand against a dealer blackjack, by the card that is up."""

    looked_at: bool
    """The dealer looks at the hole card before the plays, and the round ends there."""
    plays_allowed: bool
    """Plays that the feed holds all the same are settled, else they are illegal."""
    doubles_return: bool
    """What doubling added goes back; what splitting added is lost."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlackjackGame:
    """One blackjack as its sheet prints it. Nothing has a default: somebody decided every line."""

    decks: int
    boxes: int
    seating: Seating
    always_dealt: bool
    """Every box is dealt, also one without a bet."""

    hits_soft_17: bool
    under_ace: AgainstBlackjack
    under_ten: AgainstBlackjack

    double_after_split: bool
    zaps: frozenset[int]
    """Hard totals of two cards that may be exchanged for two new ones."""
    most_cards: int | None
    """A hand of so many cards stands."""
    most_cards_win: bool
    """Such a hand wins, whatever the dealer has short of a blackjack."""

    win_pays: Odds
    blackjack_pays: Odds
    insurance_pays: Odds
    bust_pushes: BustPushes
    """Which busts of the dealer are no win but a push, blackjacks and multiplied hands excepted."""
    multipliers: Mapping[str, Odds]
    """What a multiplier card may multiply by, none where the game has no such cards."""
    side_bets: tuple[SideBet, ...]
    bonus: FireBlaze | None

    golden_chips: bool
    finishes_off_line: bool
    """A player who lost the connection finishes the hand on cards of his own."""
    malfunction: Malfunction
