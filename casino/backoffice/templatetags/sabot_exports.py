"""Filters and tags for scopes, digests and times of bundles."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django import template
from django.db.models import Exists, OuterRef
from django.template import RequestContext

from casino.backoffice.exports.messages import bundle_label, days_label
from compliance.exports.encoders.certificate_text import figure_text
from compliance.exports.models import BundleStep, Dossier, DossierSignature
from payouts.disputes.models import Dispute
from rounds.formatting import NONE, moment

register = template.Library()
register.simple_tag(bundle_label)
register.simple_tag(days_label)
register.filter(figure_text)
_GROUP: Final = 4
_MOST_DOSSIERS: Final = 6


@register.inclusion_tag("backoffice/exports/dossiers.html", takes_context=True)
def dossiers_of(context: RequestContext, dispute: Dispute) -> dict[str, Any]:
    """The dossiers of a dispute, newest first, and a button for each recipient."""
    dossiers = Dossier.objects.filter(dispute=dispute).annotate(
        is_signed=Exists(DossierSignature.objects.filter(dossier=OuterRef("pk")))
    )
    return {
        "dispute": dispute,
        "dossiers": dossiers.order_by("-pk")[:_MOST_DOSSIERS],
        "audiences": Dossier.Audience.choices,
        "may_issue": context["request"].user.has_perm("payouts.open_dispute"),
        "csrf_token": context["csrf_token"],
    }


@register.filter
def short_digest(content: bytes | memoryview | None) -> str:
    """The first eight digits."""
    if not content:
        return NONE
    whole = bytes(content).hex()
    return f"{whole[:_GROUP]}·{whole[_GROUP : 2 * _GROUP]}"


@register.filter
def manifest_time(text: str) -> str:
    """A time of a manifest, in Rome."""
    return moment(datetime.fromisoformat(text) if text else None)


@register.filter
def last_at(steps: Sequence[BundleStep]) -> datetime | None:
    """The time of the last step."""
    return steps[-1].at if steps else None
