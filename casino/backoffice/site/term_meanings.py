"""Meanings of terms for table headings, as in docs/glossary.md and docs/exports.md."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_noop as _

MEANINGS: Final[dict[str, str | Promise]] = {
    _("Open stakes"): gettext_lazy(
        "Stakes of the day's rounds that were not settled when the day ended, or are not yet"
    ),
    _("Settled stakes"): gettext_lazy(
        "Stakes of all rounds that were settled for the first time on the day"
    ),
    _("Gross win"): gettext_lazy("Settled stakes minus paid"),
    _("Golden chips"): gettext_lazy(
        "Promotional chips of the house; only their winnings are paid in cash"
    ),
    _("Valid stakes"): gettext_lazy("Cash stakes of settled bets that were not void"),
    _("Hit frequency"): gettext_lazy("How often a bet pays back more than was staked"),
}
"""Meanings by the English heading."""


def meaning_of(heading: str) -> str:
    """The meaning of a heading in the active language; empty if it needs none."""
    for term, meaning in MEANINGS.items():
        if gettext(term) == heading:
            return str(meaning)
    return ""
