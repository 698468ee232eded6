"""Citations: the sources of rules, which trace every cent to a heading of a printed sheet."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from rounds.rules.odds import AnyOdds, Odds, Percent

Figure = int | Odds | AnyOdds | Percent
"""A figure in the text of a rule, typed for localized formatting."""


class Citation(NamedTuple):
    """A summary of a rule, with the heading of its source.

    ``sheet`` is the key of an operator's rule sheet (``"BJ"``), or ``"FEED"`` for a rule of the
    feed contract on which the sheet is silent. ``title`` and ``summary`` are English msgids of the
    translations, with placeholders for ``figures``. ``rests_on`` are keys of the ambiguity
    register: the readings on which the rule depends.
    """

    sheet: str
    heading: str
    title: str
    summary: str
    rests_on: tuple[str, ...] = ()
    figures: tuple[tuple[str, Figure], ...] = ()
    """The declared figures of the texts, by placeholder."""


def with_figures(
    citations: Mapping[str, Citation], figures: Mapping[str, Mapping[str, Figure]]
) -> Mapping[str, Citation]:
    """The same citations, each with its figures by key of the rule."""
    return MappingProxyType(
        {
            key: cited._replace(figures=tuple(figures.get(key, {}).items()))
            for key, cited in citations.items()
        }
    )


def gettext_noop(text: str) -> str:
    """The text unchanged; the name marks it for ``makemessages``."""
    return text
