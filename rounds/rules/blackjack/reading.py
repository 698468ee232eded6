"""A round as its cards and plays tell it, nothing yet being paid."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rounds.rules.anomalies import EXTRA_CARD
from rounds.rules.blackjack.bets import Standing, sort_bets
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.off_line import OffLine, finish_off_line
from rounds.rules.blackjack.table import Table, read_table
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
        if self.live.has_extra_card and not self._explains_extra_cards():
            codes.add(EXTRA_CARD)
        return codes

    def _explains_extra_cards(self) -> bool:
        """Whether hands that went on off line explain every live card that nothing else does.

        The dealer's cards were judged with his draw.
        """
        explained = Counter(self.live.called)
        for one in self.off_line.values():
            explained |= Counter(one.explained)
        return all(
            len(cards) <= explained[place]
            for place, cards in self.live.streams.items()
            if place != DEALER
        )


def read_round(game: BlackjackGame, dealt: Round) -> Reading:
    """The bets that count, the live table, and the hands that were finished off line."""
    standing = sort_bets(game, dealt)
    off_line = finish_off_line(game, dealt, standing) if dealt.disconnects else {}
    plays = [
        (box, bet.play)
        for (player, box), bet in standing.mains.items()
        if not bet.behind and player not in off_line
    ]
    live = read_table(game, dealt.cards, boxes=standing.boxes, plays=frozenset(plays))
    return Reading(standing, live, off_line)
