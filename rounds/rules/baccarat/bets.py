"""Bets on a coup: their odds and conditions of winning. [BAC] Regole del baccarat."""

from collections.abc import Callable
from typing import NamedTuple

from rounds.rules.baccarat.coup import OPENING, Coup
from rounds.rules.odds import Odds


class CoupBet(NamedTuple):
    """A bet on a coup."""

    kind: str
    pays: Odds
    wins: Callable[[Coup], bool]
    pushes: Callable[[Coup], bool] | None = None
    """When the bet pushes; None if never."""
    lost: str = "side-bet-lost"
    """The reason of a lost bet; the reason of a winning bet is its kind."""


def commission_of(pays: Odds) -> Odds | None:
    """The commission on even money; None for odds of even money or more."""
    return Odds(pays.staked - pays.won, pays.staked) if pays.won < pays.staked else None


def player_wins(coup: Coup) -> bool:
    """Player is nearer to nine."""
    return coup.player_points > coup.banker_points


def banker_wins(coup: Coup) -> bool:
    """Banker is nearer to nine."""
    return coup.banker_points > coup.player_points


def ties(coup: Coup) -> bool:
    """Both hands are worth the same."""
    return coup.player_points == coup.banker_points


def player_pairs(coup: Coup) -> bool:
    """Player's first two cards have one rank: a king and a queen are no pair."""
    return coup.player[0][0] == coup.player[1][0]


def banker_pairs(coup: Coup) -> bool:
    """Banker's first two cards have one rank."""
    return coup.banker[0][0] == coup.banker[1][0]


def either_pairs(coup: Coup) -> bool:
    """One hand's first two cards have one rank, or both hands'."""
    return player_pairs(coup) or banker_pairs(coup)


def perfectly_pairs(coup: Coup) -> bool:
    """One hand's first two cards are the same card, or both hands': it pays once."""
    return coup.player[0] == coup.player[1] or coup.banker[0] == coup.banker[1]


def is_big(coup: Coup) -> bool:
    """Five or six cards were dealt."""
    return not is_small(coup)


def is_small(coup: Coup) -> bool:
    """Four cards were dealt."""
    return len(coup.player) == len(coup.banker) == OPENING
