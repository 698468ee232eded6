"""Why a document cannot be taken, in words that whoever wrote it can act on."""

from typing import Final

_LONGEST: Final = 60


class Refused(ValueError):
    """A document of the feed cannot be taken.

    ``field`` names the place in the document, ``found`` the state of it, ``needed`` the state that
    the contract wants; ``round`` is the document's round id where it has a sound one.
    """

    def __init__(self, field: str, found: str, needed: str, round: str | None = None) -> None:  # noqa: A002 - the feed's own word
        super().__init__(field, found, needed, round)
        self.field = field
        self.found = found
        self.needed = needed
        self.round = round

    def __str__(self) -> str:
        return f"{self.field}: found {self.found}, needed {self.needed}"

    def within(self, part: str) -> "Refused":
        """The same refusal, its field being one of a part of the document."""
        field = f"{part}.{self.field}" if self.field else part
        return Refused(field, self.found, self.needed, self.round)


def describe(value: object) -> str:
    """A value of a document in a few words, however big, deep or odd it is."""
    if isinstance(value, str):
        shown = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
        return ascii(shown) if not shown.isprintable() else repr(shown)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)} fields"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 4 * _LONGEST:
        return "an integer of great length"
    return "null" if value is None else repr(value)
