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
    _("99 of 100 within"): gettext_lazy(
        "Time from arrival to settlement within which 99 of 100 rounds were settled; without rounds"
        " that persons decided"
    ),
    _("Dealing errors"): gettext_lazy(
        "Malfunctions, voids, rounds held for their cards, corrected facts; rounds that directly"
        " follow each other at a table count once"
    ),
    _("By chance 1 in"): gettext_lazy(
        "Of how many such comparisons one shows as many errors or more, if everybody makes as many"
    ),
    _("Implausible"): gettext_lazy("Held because cards or decisions do not comply with the rules"),
    _("Hit frequency"): gettext_lazy("How often a bet pays back more than was staked"),
}
"""Meanings by the English heading."""


def meaning_of(heading: str) -> str:
    """The meaning of a heading in the active language; empty if it needs none."""
    for term, meaning in MEANINGS.items():
        if gettext(term) == heading:
            return str(meaning)
    return ""
