"""What the analysis has to know of a game, read from the declaration that settlement reads.

What a declaration leaves to code of the engine is said here once: a split is a pair of one value,
once a hand, and split Aces get one card each; a double is on the first two cards and for the whole
stake; 21 takes no decision; a blackjack is neither split nor zapped. A test deals rounds to
`judge` and to this model and compares the money.
"""

from dataclasses import dataclass

from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.blackjack.totals import ACE, TEN
from rounds.rules.odds import Odds


@dataclass(frozen=True, slots=True)
class AgainstHole:
    """How stakes end under an upcard beneath which a blackjack may lie, per unit of stake."""

    is_looked_at: bool
    """The round ends before any decision, and costs the initial stake alone."""
    single: float
    """What a hand gains against the blackjack that was not looked at; 0 where it was."""
    doubled: float
    """The same for a doubled hand, both its stakes together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A game as the analysis plays it. Money is in units of the initial stake."""

    decks: int
    under_ace: AgainstHole
    under_ten: AgainstHole
    doubles_after_split: bool
    zaps: frozenset[int]
    most_cards: int
    """A hand of so many cards stands; 0 where none does."""
    most_cards_win: bool
    win: float
    blackjack: float

    def under(self, value: int) -> AgainstHole:
        """What holds under this upcard; under 2 to 9 there is no blackjack to look for."""
        return {ACE: self.under_ace, TEN: self.under_ten}.get(value, _NOTHING_TO_LOOK_FOR)


_NOTHING_TO_LOOK_FOR = AgainstHole(is_looked_at=False, single=0.0, doubled=0.0)


def terms_of(game: BlackjackGame) -> Terms:
    """The terms of a declared game; of the dealer's hand see `dealer.draws_of`."""
    return Terms(
        decks=game.decks,
        under_ace=_against(game.under_ace),
        under_ten=_against(game.under_ten),
        doubles_after_split=game.double_after_split,
        zaps=game.zaps,
        most_cards=game.most_cards or 0,
        most_cards_win=game.most_cards_win,
        win=_number(game.win_pays),
        blackjack=_number(game.blackjack_pays),
    )


def _against(declared: AgainstBlackjack) -> AgainstHole:
    if declared.looked_at:
        return AgainstHole(is_looked_at=True, single=0.0, doubled=0.0)
    return AgainstHole(
        is_looked_at=False, single=-1.0, doubled=-1.0 if declared.doubles_return else -2.0
    )


def _number(odds: Odds) -> float:
    return odds.won / odds.staked
