"""What a search finds."""

from typing import Final, NamedTuple

MOST: Final = 6
"""Hits of one kind."""


class Hit(NamedTuple):
    """A page that matches."""

    title: str
    note: str
    address: str


class HitGroup(NamedTuple):
    """Hits of one kind, newest first."""

    label: str
    hits: list[Hit]
