"""Scopes, digests and times of bundles as the pages write them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django import template

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.pages.words import days_words
from compliance.exports.pages.words import filter_words as words_of_filters
from compliance.exports.scope import Scope
from payouts.templatetags.sabot import moment
from rounds.wording import NONE

register = template.Library()
_GROUP: Final = 4


@register.simple_tag
def scope_words(of: Scope) -> str:
    """Its day, or its first and last."""
    return days_words(of)


@register.simple_tag
def filter_words(bundle: Bundle) -> str:
    """What it holds, and of what."""
    return " · ".join([bundle.get_contents_display(), *words_of_filters(bundle.scope)])


@register.filter
def short_digest(content: bytes | memoryview | None) -> str:
    """The first eight digits, where the whole stands elsewhere."""
    if not content:
        return NONE
    whole = bytes(content).hex()
    return f"{whole[:_GROUP]}·{whole[_GROUP : 2 * _GROUP]}"


@register.filter
def told_moment(text: str) -> str:
    """A time of a manifest, in Rome."""
    return moment(datetime.fromisoformat(text) if text else None)


@register.filter
def last_at(steps: Sequence[BundleStep]) -> datetime | None:
    """When the last of these steps was done."""
    return steps[-1].at if steps else None
