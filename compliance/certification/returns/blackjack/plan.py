"""A complete plan under one upcard: the decision on every hand, and the final hands.

The final hands are the input of `variance` and `multiplier_cards`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from compliance.certification.returns.blackjack.charts import best_chart, unused_chart
from compliance.certification.returns.blackjack.contexts import FIRST_SPLIT
from compliance.certification.returns.blackjack.final_hands import FinalHands, play_to_end
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.hit_or_stand import Chart, TwoCards, play_all
from compliance.certification.returns.blackjack.jit_compiler import Flags, Floats, Ints
from compliance.certification.returns.blackjack.opening_decisions import (
    DOUBLE,
    HIT,
    STAND,
    OpeningResult,
    later_decisions,
)
from compliance.certification.returns.blackjack.stand_values import StandValues
from compliance.certification.returns.blackjack.upcards import Upcard, upcard_of
from rounds.rules.blackjack.declaration import BlackjackGame


class Play(StrEnum):
    """How the hands are played."""

    COMPOSITION = "cd"
    """Composition-dependent: the best decision for the exact cards of the hand and the upcard."""
    TOTAL = "td"
    """Total-dependent: by the best chart (total, soft or hard, pair)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a game is played under one upcard."""

    upcard: Upcard
    chart: Chart
    twos: TwoCards
    opened: OpeningResult
    """Mean gain and raise of all opening hands."""
    decisions: Ints
    """The first decision on two cards, by their columns."""

    @property
    def opening_chances(self) -> Floats:
        """The chance of two cards in this order, by their columns."""
        shoe = self.upcard.table.shoe
        cards = shoe.sum()
        chances: Floats = (np.outer(shoe, shoe) - np.diag(shoe)) / (cards * (cards - 1.0))
        return chances

    def final_unsplit_hands(self) -> FinalHands:
        """Final hands that are neither split nor zapped nor a blackjack."""
        played = np.isin(self.decisions, (STAND, HIT, DOUBLE))
        return self._end(0, played, self.decisions)

    def final_split_hands(self, column: int) -> FinalHands:
        """Final hands of one hand of a split, including its card of the pair."""
        begins = np.zeros((VALUES, VALUES), dtype=np.bool_)
        begins[column] = True
        return self._end_later(FIRST_SPLIT + column, begins)

    def final_zapped_hands(self, first: int, second: int) -> FinalHands:
        """Final hands after a zap of these two cards."""
        anything = np.ones((VALUES, VALUES), dtype=np.bool_)
        return self._end_later(int(self.upcard.contexts.of_zap[first, second]), anything)

    def later(self, context: int) -> Ints:
        """The decisions on two cards after a split or a zap, by their columns."""
        return later_decisions(self.upcard.table, self.twos, self.chart, context)

    def hits(self, context: int) -> Flags:
        """Which hands hit, once doubling is no longer possible."""
        upcard = self.upcard
        stood = StandValues(upcard.ready.gain[context], upcard.ready.blackjack[context])
        left = upcard.table.shoe - upcard.contexts.discards[context]
        holding = int(upcard.contexts.holding[context])
        return play_all(upcard.hands, stood, left, holding, self.chart, upcard.pays).hits

    def _end_later(self, context: int, begins: Flags) -> FinalHands:
        return self._end(context, begins, self.later(context))

    def _end(self, context: int, begins: Flags, first: Ints) -> FinalHands:
        upcard = self.upcard
        orders = np.zeros(len(upcard.hands.points))
        np.add.at(orders, upcard.hands.after[upcard.hands.after[0]][begins], 1.0)
        return play_to_end(upcard.hands, orders, first, self.hits(context))


def plans_of(game: BlackjackGame, play: Play) -> Iterator[Plan]:
    """The plans of a game under upcards 1 to 10."""
    for value in range(1, VALUES + 1):
        upcard = upcard_of(game, value)
        chart = best_chart(upcard) if play is Play.TOTAL else unused_chart()
        twos = upcard.twos(chart)
        yield Plan(upcard, chart, twos, *upcard.opened(twos, chart))
