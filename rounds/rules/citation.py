"""Where a rule comes from, so that every cent can be traced to a heading of a printed sheet."""

from typing import NamedTuple


class Citation(NamedTuple):
    """A rule in our own words, with the heading that it rests on.

    ``sheet`` is the key of an operator's rule sheet (``"BJ"``), or ``"FEED"`` for a rule of the
    feed contract on which the sheet is silent. ``title`` and ``summary`` are English and are keys
    of the catalogue of translations. ``rests_on`` are keys of the ambiguity register: the points
    on which the sheet had to be read before it gave this rule.
    """

    sheet: str
    heading: str
    title: str
    summary: str
    rests_on: tuple[str, ...] = ()


def gettext_noop(text: str) -> str:
    """The text itself: marks it for the catalogue of translations, which finds it by this name."""
    return text
