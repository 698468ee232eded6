"""A point on which a sheet is silent or contradicts itself, and how it is read."""

from typing import NamedTuple


class Place(NamedTuple):
    """A heading of a sheet at which the point is found, or missed."""

    sheet: str
    heading: str


class Reading(NamedTuple):
    """One way to read the point, and what it means for bets or for the declared returns."""

    says: str
    means: str


class Ambiguity(NamedTuple):
    """A point, its possible readings, and the one that Sabot settles by.

    ``question`` states in our words what the sheets say and do not say; ``adopted`` is an index of
    ``readings``. All texts are English and are keys of the catalogue of translations.
    """

    key: str
    """Never changes: addresses and rules name the entry by it."""
    places: tuple[Place, ...]
    title: str
    question: str
    readings: tuple[Reading, ...]
    adopted: int
    why: str

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets concerned, each once, in the order of the places."""
        return tuple(dict.fromkeys(place.sheet for place in self.places))

    @property
    def settled_by(self) -> Reading:
        """The reading that was adopted."""
        return self.readings[self.adopted]
