"""The declaration of a blackjack game: the rules in which sheets differ, and those they share.

In this package a comment ``# [BJ] Heading`` cites a heading of a printed sheet: [BJ] live
blackjack, [MFB] Mega Fire Blaze, [QB] Quantum, [ZAP] Zappit. ``R:`` marks a reading: the sheet is
silent or contradicts itself there, and ``rounds.rules.ambiguities`` lists the possible readings
and the adopted one. "Contract" and "detail" refer to the feed contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from rounds.rules.blackjack.bust import BustPushes
from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.blackjack.side_bets import SideBet
from rounds.rules.odds import Odds


class Seating(Enum):
    """Who plays a box."""

    OWNED = "one owner a box, any number of bets behind"
    SHARED = "any number of players a box, each with decisions of his own"
    ONE_PLAYER = "one player has all boxes"


class Malfunction(Enum):
    """The effect of a malfunction that the studio declares."""

    VOIDS = "the round is void"
    VOIDS_INCOMPLETE = "the round is void when a card is missing, else it pays what came of it"


class AgainstBlackjack(NamedTuple):
    """The rules against a dealer's blackjack with a certain upcard."""

    looked_at: bool
    """The dealer peeks at the hole card before the plays, and the round ends there."""
    plays_allowed: bool
    """Plays in the feed are settled nevertheless; otherwise they are illegal."""
    doubles_return: bool
    """The raise of a double is returned; that of a split is lost."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlackjackGame:
    """One blackjack game as its sheet prints it.

    Only rules that all sheets share have a default; definitions of rule sets omit defaults.
    """

    decks: int
    boxes: int
    seating: Seating
    always_dealt: bool
    """Every box is dealt, even without a bet."""

    hits_soft_17: bool
    under_ace: AgainstBlackjack
    under_ten: AgainstBlackjack

    double_after_split: bool
    zaps: frozenset[int]
    """Hard totals of two cards that may be exchanged for two new ones."""
    most_cards: int | None
    """A hand of this many cards stands."""
    most_cards_win: bool
    """Such a hand wins unless the dealer has a blackjack."""

    win_pays: Odds
    blackjack_pays: Odds
    insurance_pays: Odds
    bust_pushes: BustPushes
    """Busts of the dealer that push, except against blackjacks and multiplied hands."""
    multipliers: Mapping[str, Odds]
    """The values of multiplier cards; empty for a game without them."""
    side_bets: tuple[SideBet, ...]
    bonus: FireBlaze | None

    golden_chips: bool
    finishes_off_line: bool
    """A player who lost the connection finishes the hand with separate cards."""
    malfunction: Malfunction

    # [BJ] Risultato; [MFB] Regole di gioco del Blackjack; [QB] Regole di gioco; [ZAP] Regole.
    dealer_stands_on: int = 17
    """The dealer draws below this total; ``hits_soft_17`` says whether on a soft 17 as well."""
    # [BJ] Obiettivo del gioco; [MFB] Divisione; [QB] Divisione; [ZAP] Regole.
    hands_per_box: int = 2
    """One split makes two hands; none of them is split again."""
    # [BJ] Obiettivo del gioco, Cavallo; [MFB] Divisione; [QB] Divisione; [ZAP] Regole.
    split_aces_stand: bool = True
    """Each of two split Aces receives one card and stands."""
