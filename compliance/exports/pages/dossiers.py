"""Dossiers on the page of their dispute: asked for, told, taken away."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.exports.dossier.files import LANGUAGES, dossier_zip, pdf_of
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.tasks import ring_for_dossiers
from compliance.trail.record import Entry, record_entries
from payouts.models import Dispute
from payouts.pages.asked import asker

_UNSIGNED = {f"{language}.pdf" for language in LANGUAGES}
"""Forms that need no signature: they name the digest of what is signed."""


class _AudienceForm(forms.Form):
    audience = forms.ChoiceField(choices=Dossier.Audience.choices)


def issue(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Issues the dossier for a reader, as the dispute stands now."""
    dispute = get_object_or_404(Dispute.objects.select_related("round"), pk=dispute_id)
    form = _AudienceForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say for whom the dossier is."))
        return redirect("dispute", dispute_id)
    audience = Dossier.Audience(form.cleaned_data["audience"])
    _one, is_new = issue_dossier(dispute, audience, at=timezone.now(), actor=asker(request))
    ring_for_dossiers()
    if is_new:
        messages.success(request, _("The dossier is made; a worker signs it in a moment."))
    else:
        messages.info(request, _("The latest dossier for this reader still says all there is."))
    return redirect("dispute", dispute_id)


def take_away(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """A file of a dossier; who took it is on record."""
    dossier = get_object_or_404(Dossier.objects.select_related("signature"), pk=pk)
    signed = getattr(dossier, "signature", None)
    if signed is None and form not in _UNSIGNED:
        raise Http404
    content, content_type = _file(dossier, form, b"" if signed is None else signed.signature)
    told = Entry("DOSSIER_DOWNLOADED", f"dossier:{pk}", {"form": form})
    record_entries([told], at=timezone.now(), actor=asker(request))
    answer = HttpResponse(content, content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="{dossier.name}.{form}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _file(dossier: Dossier, form: str, signature: bytes | memoryview) -> tuple[bytes, str]:
    match form.split("."):
        case ["zip"]:
            return dossier_zip(dossier, signature=bytes(signature)), "application/zip"
        case ["json"]:
            return dossier.content.encode(), "application/json"
        case ["p7s"]:
            return bytes(signature), "application/pkcs7-signature"
        case [language, "pdf"] if language in LANGUAGES:
            return pdf_of(dossier, language), "application/pdf"
    raise Http404
