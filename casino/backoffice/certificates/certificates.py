"""Certificates of rule sets: the return of each bet, computed and signed."""

from typing import Any, Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.backoffice.exports.messages import SIGN
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.site.actions import cleaned_data_of, show_errors, warn_broker_unavailable
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from compliance.exports.encoders.certificate_files import (
    CONTENT_TYPES,
    certificate_file,
    file_name_of,
)
from compliance.exports.encoders.certificate_text import (
    chart_of,
    contradictions_of,
    play_label,
    points_of,
    points_words,
    weights_words,
    why_words,
)
from compliance.exports.encoders.strategy_chart import chart_svg
from compliance.exports.models import CertificateRun, RuleCertificate
from compliance.exports.services.enqueue_certificate import enqueue_certificate
from compliance.exports.tasks import notify_certificate_workers
from rounds.formatting import bet_kind_label
from rounds.rules.catalogue import RULE_SETS

_BADGES: Final = {
    "reproduced": "certified",
    "not reproduced": "not-certified",
    "contradiction": "contradiction",
    "none declared": "none-declared",
}
_MOST: Final = 20
_REFRESH_SECONDS: Final = 3


class _RequestForm(forms.Form):
    code = forms.CharField(required=False, max_length=40)


def show_certificate(request: HttpRequest, name: str) -> HttpResponse:
    """The latest certificate of a rule set, and earlier ones."""
    if name not in RULE_SETS:
        raise Http404
    issued = list(RuleCertificate.objects.filter(rules=name).order_by("-pk")[:_MOST])
    latest = issued[0] if issued else None
    content = latest.payload if latest else {"returns": []}
    chart = chart_of(content)
    context = {
        "title": _("Certificate of returns: %(rules)s") % {"rules": name},
        "parent": {"title": name, "address": reverse("rule_set", args=[name])},
        "name": name,
        "latest": latest,
        "content": content,
        "is_current": latest is not None and bytes(latest.rules_digest) == RULE_SETS[name].digest,
        "earlier": issued[1:],
        **_computing(request, name),
        "contradictions": contradictions_of(content),
        "weights": weights_words(content),
        "chart": chart_svg(chart) if chart is not None else "",
        "points": points_of(content["returns"]),
        "rows": [
            (
                bet_kind_label(row["bet"]),
                play_label(row),
                row,
                points_words(row["rtp"], row["declared"]),
                _BADGES[row["verdict"]],
                why_words(row),
            )
            for row in content["returns"]
        ],
    }
    return show(request, "backoffice/exports/certificate.html", context)


def ask(request: HttpRequest, name: str) -> HttpResponse:
    """Request a new certificate. Requires a confirmed second factor."""
    if name not in RULE_SETS:
        raise Http404
    with show_errors(request, message=str):
        data = cleaned_data_of(_RequestForm(request.POST))
        require_confirmed(request, data["code"])
        enqueue_certificate(RULE_SETS[name], at=timezone.now(), actor=actor_in(request))
        if not notify_certificate_workers():
            warn_broker_unavailable(request)
    return redirect("certificate", name)


def _computing(request: HttpRequest, name: str) -> dict[str, Any]:
    """The latest request, and whether the user may request a certificate."""
    run = CertificateRun.objects.filter(rules=name).order_by("-pk").first()
    waits = run is not None and run.finished_at is None
    person = request_user(request)
    return {
        "run": run,
        "waits": waits,
        "refresh_seconds": _REFRESH_SECONDS * waits,
        "may_ask": person.has_perm(SIGN) and not waits,
        **confirmation_context(request),
    }


def show_certificate_file(_request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """The signed JSON, its signature, or a printable document."""
    certificate = get_object_or_404(RuleCertificate, pk=pk)
    if form not in CONTENT_TYPES:
        raise Http404
    file = certificate_file(
        form, content=certificate.content.encode(), signature=bytes(certificate.signature)
    )
    name = f"{file_name_of(certificate.rules)}-{certificate.issued_at:%Y-%m-%d}.{form}"
    return attachment(file, name=name, content_type=CONTENT_TYPES[form])
