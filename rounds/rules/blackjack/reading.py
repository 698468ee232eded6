"""A round as its cards and plays tell it, nothing yet being paid."""

from collections.abc import Iterator, Mapping
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

    def codes(self) -> Iterator[str]:
        """What is wrong with the cards and the plays."""
        yield from self.live.codes
        for one in self.off_line.values():
            yield from one.table.codes
        if self._has_extra_card():
            yield EXTRA_CARD

    def _has_extra_card(self) -> bool:
        """Whether a live card has no reason; the dealer's were judged with his draw."""
        explained = dict(self.live.called)
        for one in self.off_line.values():
            for place, count in one.explained.items():
                explained[place] = max(count, explained.get(place, 0))
        return any(
            len(cards) > explained.get(place, 0)
            for place, cards in self.live.streams.items()
            if place != DEALER
        )


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
