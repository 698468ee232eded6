"""The certificates of rule sets: what each bet returns, computed and signed."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from compliance.exports.encoders.as_certificate import certificate_pdf, play_words, why_words
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
    context = {
        "title": _("Certificate of returns: %(rules)s") % {"rules": name},
        "parent": {"title": name, "address": reverse("rule_set", args=[name])},
        "name": name,
        "latest": latest,
        "told": told,
        "is_current": latest is not None and bytes(latest.rules_digest) == RULE_SETS[name].digest,
        "earlier": issued[1:],
        "rows": [
            (
                kind_words(one["bet"]),
                play_words(one),
                one,
                _PILLS[one["verdict"]],
                why_words(one),
            )
            for one in told["returns"]
        ],
    }
    return show(request, "pages/exports/certificate.html", context)


def certificate_file(_request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """The signed JSON, its signature, or the document for people."""
    one = get_object_or_404(RuleCertificate, pk=pk)
    name = f"{one.rules.replace('/', '-')}-{one.issued_at:%Y-%m-%d}"
    if form == "json":
        answer = HttpResponse(one.content.encode(), content_type="application/json")
    elif form == "p7s":
        answer = HttpResponse(bytes(one.signature), content_type="application/pkcs7-signature")
    elif form == "pdf":
        pdf = certificate_pdf(one.told, digest=bytes(one.digest).hex())
        answer = HttpResponse(pdf, content_type="application/pdf")
    else:
        raise Http404
    answer["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
