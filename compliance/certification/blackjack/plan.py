"""A whole plan under one upcard: what is decided on every hand, and the hands as it leaves them.

Whoever has to know more of a game than its return starts from these ended hands: how they spread
(`spread`), what cards that multiply would add to those that win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from compliance.certification.blackjack.charts import best_chart, unused_chart
from compliance.certification.blackjack.compiled import Flags, Floats, Ints
from compliance.certification.blackjack.contexts import FIRST_SPLIT
from compliance.certification.blackjack.ended import Ended, end_hands
from compliance.certification.blackjack.hands import VALUES
from compliance.certification.blackjack.opening import (
    DOUBLE,
    HIT,
    STAND,
    Opened,
    later_decisions,
)
from compliance.certification.blackjack.playing import Chart, Twos, play_all
from compliance.certification.blackjack.standing import Stood
from compliance.certification.blackjack.upcards import Upcard, upcard_of
from rounds.rules.blackjack.declaration import BlackjackGame


class Play(StrEnum):
    """How the hands are played."""

    COMPOSITION = "cd"
    """Each decision is the best one for the very cards of the hand and the upcard."""
    TOTAL = "td"
    """By the best chart that knows a hand's total, whether it is soft, and whether it is a pair."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a game is played under one upcard."""

    upcard: Upcard
    chart: Chart
    twos: Twos
    opened: Opened
    """What all opening hands together gain and raise."""
    decisions: Ints
    """The first decision on two cards, by their columns."""

    @property
    def opening_chances(self) -> Floats:
        """How likely two cards are dealt in this order, by their columns."""
        shoe = self.upcard.table.shoe
        cards = shoe.sum()
        chances: Floats = (np.outer(shoe, shoe) - np.diag(shoe)) / (cards * (cards - 1.0))
        return chances

    def ended_unsplit(self) -> Ended:
        """Ends of the hands that are neither split nor zapped nor a blackjack."""
        played = np.isin(self.decisions, (STAND, HIT, DOUBLE))
        return self._end(0, played, self.decisions)

    def ended_halves(self, column: int) -> Ended:
        """Ends of one hand of a split, its own card of the pair among its cards."""
        begins = np.zeros((VALUES, VALUES), dtype=np.bool_)
        begins[column] = True
        return self._end_later(FIRST_SPLIT + column, begins)

    def ended_zapped(self, one: int, two: int) -> Ended:
        """Ends of the hands that come of zapping these two, which are not among their cards."""
        anything = np.ones((VALUES, VALUES), dtype=np.bool_)
        return self._end_later(int(self.upcard.contexts.of_zap[one, two]), anything)

    def later(self, context: int) -> Ints:
        """The decisions on two cards after a split or a zap, by their columns."""
        return later_decisions(self.upcard.table, self.twos, self.chart, context)

    def hits(self, context: int) -> Flags:
        """Which hands take a card when doubling is over."""
        upcard = self.upcard
        stood = Stood(upcard.ready.gain[context], upcard.ready.blackjack[context])
        left = upcard.table.shoe - upcard.contexts.discards[context]
        holding = int(upcard.contexts.holding[context])
        return play_all(upcard.hands, stood, left, holding, self.chart, upcard.pays).hits

    def _end_later(self, context: int, begins: Flags) -> Ended:
        return self._end(context, begins, self.later(context))

    def _end(self, context: int, begins: Flags, first: Ints) -> Ended:
        upcard = self.upcard
        begun = np.zeros(len(upcard.hands.points))
        np.add.at(begun, upcard.hands.after[upcard.hands.after[0]][begins], 1.0)
        return end_hands(upcard.hands, begun, first, self.hits(context))


def plans_of(game: BlackjackGame, play: Play) -> Iterator[Plan]:
    """The plans of a game under upcards 1 to 10."""
    for value in range(1, VALUES + 1):
        upcard = upcard_of(game, value)
        chart = best_chart(upcard) if play is Play.TOTAL else unused_chart()
        twos = upcard.twos(chart)
        yield Plan(upcard, chart, twos, *upcard.opened(twos, chart))
