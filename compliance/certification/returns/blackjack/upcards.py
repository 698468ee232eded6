"""A game under one upcard, precomputed for the evaluation of charts."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from compliance.certification.returns.blackjack.contexts import (
    Contexts,
    PreparedHands,
    contexts_of,
    play_contexts,
    prepare,
)
from compliance.certification.returns.blackjack.dealer import Draws, draws_of
from compliance.certification.returns.blackjack.game_terms import Terms, terms_of
from compliance.certification.returns.blackjack.hands import VALUES, Hands, every_hand
from compliance.certification.returns.blackjack.hit_or_stand import Chart, TwoCards
from compliance.certification.returns.blackjack.jit_compiler import Floats, Ints
from compliance.certification.returns.blackjack.opening_decisions import (
    OpeningResult,
    Table,
    open_all,
)
from compliance.certification.returns.blackjack.stand_values import Pays
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import ACE, TEN

_OF_EACH_VALUE: Final = 4
_COMPLETES: Final = {ACE: TEN - 1, TEN: ACE - 1}
"""Column of the hole card that completes a blackjack, by upcard."""


@dataclass(frozen=True, slots=True)
class Upcard:
    """One upcard of a game with its precomputed stand values."""

    chance: float
    """The chance of this upcard."""
    hands: Hands
    draws: Draws
    contexts: Contexts
    pays: Pays
    ready: PreparedHands
    table: Table

    def twos(self, chart: Chart) -> TwoCards:
        """The gains of hands of two cards, by the chart or by the best play."""
        return play_contexts(self.hands, self.contexts, self.ready, chart, self.pays)

    def opened(self, twos: TwoCards, chart: Chart) -> tuple[OpeningResult, Ints]:
        """Mean gain and raise of all opening hands, and their first decisions."""
        decisions = np.zeros((VALUES, VALUES), dtype=np.int64)
        return open_all(self.table, twos, chart, decisions), decisions


def upcard_of(game: BlackjackGame, value: int) -> Upcard:
    """This upcard of a game, from a fresh shoe."""
    terms = terms_of(game)
    hands = every_hand()
    contexts = contexts_of(terms)
    full = full_shoe(terms.decks)
    shoe = full - np.eye(VALUES)[value - 1]
    pays = pays_of(terms, value)
    draws = draws_of(game)[value - 1]
    return Upcard(
        chance=float(full[value - 1] / full.sum()),
        hands=hands,
        draws=draws,
        contexts=contexts,
        pays=pays,
        ready=prepare(hands, draws, contexts, shoe, pays),
        table=Table(
            shoe=shoe,
            of_zap=contexts.of_zap,
            cells=cells_of_twos(),
            blackjack=terms.blackjack,
            doubles_after_split=terms.doubles_after_split,
            is_looked_at=pays.is_looked_at,
        ),
    )


def full_shoe(decks: int) -> Floats:
    """Number of cards of each value in a fresh shoe."""
    shoe = np.full(VALUES, float(_OF_EACH_VALUE * decks))
    shoe[TEN - 1] *= _OF_EACH_VALUE
    return shoe


@cache
def cells_of_twos() -> Ints:
    """The rows of a chart for two cards, by their columns."""
    hands = every_hand()
    cells: Ints = hands.cell[hands.after[hands.after[0]]]
    return cells


def pays_of(terms: Terms, value: int) -> Pays:
    """The payout terms of standing hands under this upcard."""
    under = terms.under(value)
    return Pays(
        win=terms.win,
        single=under.single,
        doubled=under.doubled,
        is_looked_at=under.is_looked_at,
        hole=_COMPLETES.get(value, -1),
        most_cards=terms.most_cards,
        most_cards_win=terms.most_cards_win,
    )
