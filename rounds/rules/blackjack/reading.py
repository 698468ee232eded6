"""A round as its cards and plays tell it, nothing yet being paid."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rounds.rules.anomalies import EXTRA_CARD
from rounds.rules.blackjack.bets import Standing, sort_bets
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.off_line import OffLine, finish_off_line
from rounds.rules.blackjack.table import DEALER, Table, read_table
from rounds.rules.facts import Bet, Round


class Reading(NamedTuple):
    """A round as its cards and plays tell it."""

    standing: Standing
    live: Table
    off_line: Mapping[str, OffLine]
    """By player, the hands that were finished off line."""

    def table_of(self, bet: Bet) -> Table:
        """The table that decides a main or insurance bet."""
        own = self.off_line.get(bet.player)
        return own.table if own is not None else self.live

    def codes(self) -> set[str]:
        """What is wrong with the cards and the plays."""
        codes = set(self.live.codes)
        for one in self.off_line.values():
            codes |= one.table.codes
        if self._has_extra_card():
            codes.add(EXTRA_CARD)
        return codes

    def _has_extra_card(self) -> bool:
        """Whether a live card has no reason; the dealer's were judged with his draw."""
        explained = self._explained() if self.off_line else self.live.called
        for place, cards in self.live.streams.items():
            if len(cards) > explained.get(place, 0) and place != DEALER:
                return True
        return False

    def _explained(self) -> Mapping[str, int]:
        """How many live cards of each place all plays together explain."""
        explained = Counter(self.live.called)
        for one in self.off_line.values():
            explained |= Counter(one.explained)
        return explained


def read_round(game: BlackjackGame, dealt: Round) -> Reading:
    """The bets that count, the live table, and the hands that were finished off line."""
    standing = sort_bets(game, dealt)
    off_line = finish_off_line(game, dealt, standing)
    plays = {
        (box, bet.play)
        for (player, box), bet in standing.mains.items()
        if not bet.behind and player not in off_line
    }
    live = read_table(game, dealt.cards, boxes=standing.boxes, plays=plays)
    return Reading(standing, live, off_line)
