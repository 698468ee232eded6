"""Players of the feed who lost the connection (contract, details 13 and 42)."""

from typing import Final

from rounds.feed.fields import (
    Document,
    read_count,
    read_dealt,
    read_list,
    read_object,
    read_text,
    read_time,
)
from rounds.feed.refused import Refused, describe
from rounds.rules.facts import Disconnect

_REQUIRED: Final = frozenset({"player", "at"})
_OPTIONAL: Final = frozenset({"cards_seen", "cards"})


def read_disconnects(document: Document, *, dealt: int) -> tuple[Disconnect, ...]:
    """The players who lost the connection, each once, in a round of so many dealt cards."""
    entries: dict[str, Disconnect] = {}
    for number, value in enumerate(read_list(document, "disconnects")):
        try:
            entry = _read_disconnect(value, dealt)
        except Refused as refusal:
            raise refusal.within(f"disconnects[{number}]") from None
        if entry.player in entries:
            found = f"{describe(entry.player)} again"
            raise Refused(f"disconnects[{number}].player", found, "one entry a player")
        entries[entry.player] = entry
    return tuple(entries.values())


def _read_disconnect(value: object, dealt: int) -> Disconnect:
    entry = read_object(
        value, required=frozenset({"player", "at"}), optional=frozenset({"cards_seen", "cards"})
    )
    cards_seen = read_count(entry, "cards_seen") if "cards_seen" in entry else None
    if cards_seen is not None and cards_seen > dealt:
        raise Refused("cards_seen", str(cards_seen), f"at most the {dealt} cards of the round")
    cards = read_dealt(entry, "cards") if "cards" in entry else ()
    if cards and cards_seen is None:
        raise Refused("cards_seen", "nothing", "how many cards the player had seen")
    return Disconnect(read_text(entry, "player"), read_time(entry, "at"), cards_seen, cards)
