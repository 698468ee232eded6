"""The error of an invalid document, precise enough for its author to correct it."""

from typing import Final

_LONGEST: Final = 60


class FeedError(ValueError):
    """A document of the feed is invalid.

    ``field`` is the path in the document, ``found`` the value there, ``needed`` what the contract
    requires; ``round`` is the round id of the document, None if that is missing or invalid.
    """

    def __init__(self, field: str, found: str, needed: str, round: str | None = None) -> None:
        super().__init__(field, found, needed, round)
        self.field = field
        self.found = found
        self.needed = needed
        self.round = round

    def __str__(self) -> str:
        return f"{self.field}: found {self.found}, needed {self.needed}"

    def within(self, part: str) -> "FeedError":
        """The same error, with its field below ``part``."""
        field = f"{part}.{self.field}" if self.field else part
        return FeedError(field, self.found, self.needed, self.round)


def shorten(value: object) -> str:
    """A short text for any value of a document."""
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
