"""Ambiguities: points on which a sheet is silent or contradicts itself, and their readings."""

from typing import NamedTuple


class Place(NamedTuple):
    """A heading of a sheet that states the point, or should."""

    sheet: str
    heading: str


class Reading(NamedTuple):
    """One reading of the point, and its effect on bets or on the declared returns."""

    says: str
    means: str


class Ambiguity(NamedTuple):
    """A point, its possible readings, and the one that Sabot settles by.

    ``question`` summarizes what the sheets state and omit. The first of ``readings`` is the one
    that Sabot settles by. All texts are English msgids of the translations.
    """

    key: str
    """Never changes: URLs and rules refer to it."""
    places: tuple[Place, ...]
    title: str
    question: str
    readings: tuple[Reading, ...]
    why: str

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets concerned, in the order of the places."""
        return tuple(dict.fromkeys(place.sheet for place in self.places))

    @property
    def settled_by(self) -> Reading:
        """The reading that Sabot has adopted."""
        return self.readings[0]
