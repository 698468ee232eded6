"""Hands finished off line by players who lost the connection (contract, detail 42)."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from rounds.rules.anomalies import EXTRA_CARD
from rounds.rules.blackjack.bets import Standing
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.layout import DEALER, BoxPlay
from rounds.rules.blackjack.table import Table, read_table
from rounds.rules.facts import Disconnect, Round

_PLACES_OF_BOX: Final = ("", "a", "b", "z")


class OffLine(NamedTuple):
    """One player's hands, decided on the cards that he had seen and those dealt to him alone."""

    table: Table
    explained: Mapping[str, int]
    """How many live cards of each place the player's plays explain."""


def finish_off_line(game: BlackjackGame, dealt: Round, standing: Standing) -> dict[str, OffLine]:
    """By player, the hands that were finished off line."""
    if not game.finishes_off_line:
        return {}
    entries = {
        entry.player: entry
        for entry in dealt.disconnects
        if entry.cards and entry.at >= dealt.closed_at
    }
    plays: dict[str, set[BoxPlay]] = {}
    for (player, box), bet in standing.mains.items():
        if player in entries:
            plays.setdefault(player, set()).add((box, bet.play))
    return {
        player: _finish(game, dealt, entries[player], frozenset(own), standing.boxes)
        for player, own in plays.items()
    }


def _finish(
    game: BlackjackGame,
    dealt: Round,
    entry: Disconnect,
    plays: frozenset[BoxPlay],
    in_use: Collection[int],
) -> OffLine:
    boxes = frozenset([box for box, _ in plays])
    live = dealt.cards[: entry.cards_seen]
    table = read_table(game, live + entry.cards, boxes=boxes, plays=plays)
    if not _explains(table, entry, own=boxes, in_use=in_use):
        table = table._replace(codes=table.codes | {EXTRA_CARD})
    seen = Counter(place for place, _ in live)
    explained = {place: min(count, seen[place]) for place, count in table.called.items()}
    return OffLine(table, explained)


def _explains(
    table: Table, entry: Disconnect, *, own: Collection[int], in_use: Collection[int]
) -> bool:
    """Whether every card dealt off line has its reason; those of other players need none."""
    others = {f"{box}{hand}" for box in in_use if box not in own for hand in _PLACES_OF_BOX}
    for place, _ in entry.cards:
        if place == DEALER or place in others:
            continue
        if len(table.streams[place]) > table.called.get(place, 0):
            return False
    return True
