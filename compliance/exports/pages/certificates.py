"""The certificates of rule sets: what each bet returns, computed and signed."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from compliance.exports.encoders.certificate_files import (
    CONTENT_TYPES,
    certificate_file,
    file_name_of,
)
from compliance.exports.encoders.certificate_words import (
    chart_of,
    contradictions_of,
    play_words,
    points_of,
    points_words,
    why_words,
)
from compliance.exports.encoders.chart_picture import chart_svg
from compliance.exports.models import RuleCertificate
from payouts.pages.own_pages import show
from rounds.rules.catalogue import RULE_SETS
from rounds.wording import kind_words

_PILLS: Final = {
    "reproduced": "certified",
    "not reproduced": "not-certified",
    "contradiction": "contradiction",
    "none declared": "none-declared",
}
_MOST: Final = 20


def show_certificate(request: HttpRequest, name: str) -> HttpResponse:
    """The latest certificate of a rule set, and the earlier ones."""
    if name not in RULE_SETS:
        raise Http404
    issued = list(RuleCertificate.objects.filter(rules=name).order_by("-pk")[:_MOST])
    latest = issued[0] if issued else None
    told = latest.told if latest else {"returns": []}
    chart = chart_of(told)
    context = {
        "title": _("Certificate of returns: %(rules)s") % {"rules": name},
        "parent": {"title": name, "address": reverse("rule_set", args=[name])},
        "name": name,
        "latest": latest,
        "told": told,
        "is_current": latest is not None and bytes(latest.rules_digest) == RULE_SETS[name].digest,
        "earlier": issued[1:],
        "contradictions": contradictions_of(told),
        "chart": chart_svg(chart) if chart is not None else "",
        "points": points_of(told["returns"]),
        "rows": [
            (
                kind_words(one["bet"]),
                play_words(one),
                one,
                points_words(one["rtp"], one["declared"]),
                _PILLS[one["verdict"]],
                why_words(one),
            )
            for one in told["returns"]
        ],
    }
    return show(request, "pages/exports/certificate.html", context)


def show_certificate_file(_request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """The signed JSON, its signature, or a document for people."""
    one = get_object_or_404(RuleCertificate, pk=pk)
    if form not in CONTENT_TYPES:
        raise Http404
    file = certificate_file(form, content=one.content.encode(), signature=bytes(one.signature))
    answer = HttpResponse(file, content_type=CONTENT_TYPES[form])
    name = f"{file_name_of(one.rules)}-{one.issued_at:%Y-%m-%d}"
    answer["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
