"""The certificates of rule sets: what each bet returns, computed and signed."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
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
    weights_words,
    why_words,
)
from compliance.exports.encoders.chart_picture import chart_svg
from compliance.exports.models import CertificateRun, RuleCertificate
from compliance.exports.pages.words import SIGN
from compliance.exports.services.ask_certificate import ask_certificate
from compliance.exports.tasks import ring_for_certificates
from payouts.pages.asked import asker
from payouts.pages.confirming import is_confirmed, require_confirmed
from payouts.pages.deeds import asked_of, refusals_told
from payouts.pages.own_pages import person_of, show
from payouts.pages.second_factor import has_factor
from rounds.rules.catalogue import RULE_SETS
from rounds.wording import kind_words

_PILLS: Final = {
    "reproduced": "certified",
    "not reproduced": "not-certified",
    "contradiction": "contradiction",
    "none declared": "none-declared",
}
_MOST: Final = 20
_REFRESH_SECONDS: Final = 3


class _AskingForm(forms.Form):
    code = forms.CharField(required=False, max_length=40)


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
        **_asking(request, name),
        "contradictions": contradictions_of(told),
        "weights": weights_words(told),
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


def ask(request: HttpRequest, name: str) -> HttpResponse:
    """Asks for a new certificate, by somebody who has just proved who they are."""
    if name not in RULE_SETS:
        raise Http404
    with refusals_told(request, words=str):
        asked = asked_of(_AskingForm(request.POST))
        require_confirmed(request, asked["code"])
        ask_certificate(RULE_SETS[name], at=timezone.now(), actor=asker(request))
        if not ring_for_certificates():
            messages.warning(request, _("The broker is away: it begins when it is back."))
    return redirect("certificate", name)


def _asking(request: HttpRequest, name: str) -> dict[str, Any]:
    """What was asked for last, and what this person may ask for."""
    run = CertificateRun.objects.filter(rules=name).order_by("-pk").first()
    waits = run is not None and run.finished_at is None
    person = person_of(request)
    return {
        "run": run,
        "waits": waits,
        "refresh_seconds": _REFRESH_SECONDS * waits,
        "may_ask": person.has_perm(SIGN) and not waits,
        "has_factor": has_factor(person),
        "confirmed": is_confirmed(request),
    }


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
