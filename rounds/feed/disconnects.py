"""Parsing of disconnects: players who lost the connection (contract, details 13 and 42)."""

from typing import Final

from rounds.feed.exceptions import FeedError, shorten
from rounds.feed.fields import (
    Document,
    read_count,
    read_dealt,
    read_list,
    read_object,
    read_text,
    read_time,
)
from rounds.rules.facts import Disconnect

REQUIRED: Final = frozenset({"player", "at"})
OPTIONAL: Final = frozenset({"cards_seen", "cards"})


def read_disconnects(document: Document, *, dealt: int) -> tuple[Disconnect, ...]:
    """The disconnects, one for a player, of a round with this number of dealt cards."""
    entries: dict[str, Disconnect] = {}
    for number, value in enumerate(read_list(document, "disconnects")):
        try:
            entry = _read_disconnect(value, dealt)
        except FeedError as error:
            raise error.within(f"disconnects[{number}]") from None
        if entry.player in entries:
            again = f"{shorten(entry.player)} again"
            raise FeedError(f"disconnects[{number}].player", again, "one entry a player")
        entries[entry.player] = entry
    return tuple(entries.values())


def _read_disconnect(value: object, dealt: int) -> Disconnect:
    entry = read_object(value, required=REQUIRED, optional=OPTIONAL)
    cards_seen = read_count(entry, "cards_seen") if "cards_seen" in entry else None
    if cards_seen is not None and cards_seen > dealt:
        raise FeedError("cards_seen", str(cards_seen), f"at most the {dealt} cards of the round")
    cards = read_dealt(entry, "cards") if "cards" in entry else ()
    if cards and cards_seen is None:
        raise FeedError("cards_seen", "nothing", "how many cards the player had seen")
    return Disconnect(read_text(entry, "player"), read_time(entry, "at"), cards_seen, cards)
