"""Interpretation of a round: bets, the live table and hands finished off line, without payouts."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rounds.rules.anomalies import EXTRA_CARD
from rounds.rules.blackjack.bets import ClassifiedBets, classify_bets
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.disconnected_hands import OffLine, finish_off_line
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.table import Table, read_table
from rounds.rules.facts import Bet, Round


class Reading(NamedTuple):
    """The interpretation of a round."""

    classified: ClassifiedBets
    live: Table
    off_line: Mapping[str, OffLine]
    """The hands finished off line, by player."""

    def table_of(self, bet: Bet) -> Table:
        """The table that decides a main or insurance bet."""
        finished = self.off_line.get(bet.player)
        return finished.table if finished is not None else self.live

    def codes(self) -> set[str]:
        """Anomalies of the cards and the plays."""
        codes = set(self.live.codes)
        for finished in self.off_line.values():
            codes |= finished.table.codes
        if self.live.has_extra_card and not self._explains_extra_cards():
            codes.add(EXTRA_CARD)
        return codes

    def _explains_extra_cards(self) -> bool:
        """Whether hands finished off line require every extra live card, the dealer's aside."""
        explained = Counter(self.live.called)
        for finished in self.off_line.values():
            explained |= Counter(finished.explained)
        return all(
            len(cards) <= explained[place]
            for place, cards in self.live.streams.items()
            if place != DEALER
        )


def read_round(game: BlackjackGame, dealt: Round) -> Reading:
    """The interpretation of a round."""
    classified = classify_bets(game, dealt)
    off_line = finish_off_line(game, dealt, classified) if dealt.disconnects else {}
    plays = [
        (box, bet.play)
        for (player, box), bet in classified.mains.items()
        if not bet.behind and player not in off_line
    ]
    live = read_table(game, dealt.cards, boxes=classified.boxes, plays=frozenset(plays))
    return Reading(classified, live, off_line)
