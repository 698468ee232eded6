"""Parsing of shoe openings (contract, "A shoe")."""

from typing import Final

from rounds.feed.fields import (
    Document,
    read_cards,
    read_count,
    read_object,
    read_text,
    read_time,
)
from rounds.rules.facts import ShoeOpening

FIELDS: Final = frozenset({"feed", "shoe", "table", "opened_at", "burnt", "burnt_face_down"})


def read_shoe(document: Document) -> ShoeOpening:
    """The shoe, with the cards burnt before its first round."""
    read_object(document, required=FIELDS)
    return ShoeOpening(
        read_text(document, "shoe"),
        read_text(document, "table"),
        read_time(document, "opened_at"),
        read_cards(document, "burnt"),
        read_count(document, "burnt_face_down"),
    )
