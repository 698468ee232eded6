"""Dossiers on the page of their dispute: asked for, told, taken away."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.exports.dossier.files import CONTENT_TYPES
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.download_dossier import NotSigned, download_dossier
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.tasks import ring_for_dossiers
from payouts.models import Dispute
from payouts.pages.asked import asker


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
    dossier = get_object_or_404(Dossier, pk=pk)
    if form not in CONTENT_TYPES:
        raise Http404
    try:
        content = download_dossier(dossier, form, at=timezone.now(), actor=asker(request))
    except NotSigned as refusal:
        raise Http404 from refusal
    answer = HttpResponse(content, content_type=CONTENT_TYPES[form])
    answer["Content-Disposition"] = f'attachment; filename="{dossier.name}.{form}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
