"""Terms of a game for the analysis, derived from the declaration that settlement uses.

Rules that are code in the engine are assumed by the analysis: a split is a pair of equal value,
once per box, and split Aces get one card each; a double is on the first two cards and for the whole
stake; 21 takes no decision; a blackjack is neither split nor zapped. A test compares the money of
`judge` and of this model.
"""

from dataclasses import dataclass

from rounds.rules.blackjack.declaration import AgainstBlackjack, BlackjackGame
from rounds.rules.blackjack.totals import ACE, TEN
from rounds.rules.odds import Odds


@dataclass(frozen=True, slots=True)
class HoleCardTerms:
    """The result of stakes under an Ace or ten upcard, per unit of stake."""

    is_looked_at: bool
    """Whether the dealer peeks: a blackjack then ends the round for the initial stake."""
    single: float
    """Gain of a hand against a blackjack without peek; 0 with peek."""
    doubled: float
    """Gain of a doubled hand, both stakes together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a game. Money is in units of the initial stake."""

    decks: int
    under_ace: HoleCardTerms
    under_ten: HoleCardTerms
    doubles_after_split: bool
    zaps: frozenset[int]
    most_cards: int
    """Number of cards at which a hand stands; 0 for none."""
    most_cards_win: bool
    win: float
    blackjack: float

    def under(self, value: int) -> HoleCardTerms:
        """The terms under this upcard; under 2 to 9 no blackjack is possible."""
        return {ACE: self.under_ace, TEN: self.under_ten}.get(value, _NO_BLACKJACK)


_NO_BLACKJACK = HoleCardTerms(is_looked_at=False, single=0.0, doubled=0.0)


def terms_of(game: BlackjackGame) -> Terms:
    """The terms of a declared game; for the dealer's hand see `dealer.draws_of`."""
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


def _against(declared: AgainstBlackjack) -> HoleCardTerms:
    if declared.looked_at:
        return HoleCardTerms(is_looked_at=True, single=0.0, doubled=0.0)
    return HoleCardTerms(
        is_looked_at=False, single=-1.0, doubled=-1.0 if declared.doubles_return else -2.0
    )


def _number(odds: Odds) -> float:
    return odds.won / odds.staked
