"""Hands finished off line by players who lost the connection (contract, detail 42)."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from rounds.rules.anomalies import EXTRA_CARD
from rounds.rules.blackjack.bets import ClassifiedBets
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.layout import DEALER, BoxPlay
from rounds.rules.blackjack.table import Table, read_table
from rounds.rules.facts import Disconnect, Round

_PLACES_OF_BOX: Final = ("", "a", "b", "z")


class OffLine(NamedTuple):
    """One player's hands, decided by the cards seen live and those dealt off line."""

    table: Table
    explained: Mapping[str, int]
    """The number of live cards of each place that the player's plays require."""


def finish_off_line(
    game: BlackjackGame, dealt: Round, classified: ClassifiedBets
) -> dict[str, OffLine]:
    """The hands finished off line, by player."""
    if not game.finishes_off_line:
        return {}
    entries = {
        entry.player: entry
        for entry in dealt.disconnects
        if entry.cards and entry.at >= dealt.closed_at
    }
    plays: dict[str, set[BoxPlay]] = {}
    for (player, box), bet in classified.mains.items():
        if player in entries:
            plays.setdefault(player, set()).add((box, bet.play))
    return {
        player: _finish(game, dealt, entries[player], frozenset(box_plays), classified.boxes)
        for player, box_plays in plays.items()
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
    if unexplained_places(table, entry, boxes=boxes, in_use=in_use):
        table = table._replace(codes=table.codes | {EXTRA_CARD})
    seen = Counter(place for place, _ in live)
    explained = {place: min(count, seen[place]) for place, count in table.called.items()}
    return OffLine(table, explained)


def unexplained_places(
    table: Table, entry: Disconnect, *, boxes: Collection[int], in_use: Collection[int]
) -> set[str]:
    """Places with off line cards that no play requires; those of other players are ignored."""
    others = {f"{box}{hand}" for box in in_use if box not in boxes for hand in _PLACES_OF_BOX}
    return {
        place
        for place, _ in entry.cards
        if place != DEALER
        and place not in others
        and len(table.streams[place]) > table.called.get(place, 0)
    }
