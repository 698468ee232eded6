"""Scopes, digests and times of bundles as the pages write them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django import template
from django.db.models import Exists, OuterRef
from django.template import RequestContext

from compliance.exports.models import Bundle, BundleStep, Dossier, DossierSignature
from compliance.exports.pages.words import days_words
from compliance.exports.pages.words import filter_words as words_of_filters
from compliance.exports.scope import Scope
from payouts.models import Dispute
from payouts.templatetags.sabot import moment
from rounds.wording import NONE

register = template.Library()
_GROUP: Final = 4
_MOST_DOSSIERS: Final = 6


@register.simple_tag
def scope_words(of: Scope) -> str:
    """Its day, or its first and last."""
    return days_words(of)


@register.simple_tag
def filter_words(bundle: Bundle) -> str:
    """What it holds, and of what."""
    return " · ".join([bundle.get_contents_display(), *words_of_filters(bundle.scope)])


@register.inclusion_tag("pages/exports/dossiers.html", takes_context=True)
def dossiers_of(context: RequestContext, dispute: Dispute) -> dict[str, Any]:
    """The dossiers of a dispute, newest first, and a button for each reader."""
    known = Dossier.objects.filter(dispute=dispute).annotate(
        is_signed=Exists(DossierSignature.objects.filter(dossier=OuterRef("pk")))
    )
    return {
        "dispute": dispute,
        "dossiers": known.order_by("-pk")[:_MOST_DOSSIERS],
        "audiences": Dossier.Audience.choices,
        "may_issue": context["request"].user.has_perm("payouts.open_dispute"),
        "csrf_token": context["csrf_token"],
    }


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
