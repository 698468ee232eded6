"""Dossiers of a dispute: issue and download."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.form_data import actor_in
from compliance.exports.dossier.files import CONTENT_TYPES
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.download_dossier import NotSigned, download_dossier
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.tasks import notify_dossier_workers
from payouts.disputes.models import Dispute


class _AudienceForm(forms.Form):
    audience = forms.ChoiceField(choices=Dossier.Audience.choices)


def issue(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Issue a dossier of the current state for a recipient."""
    dispute = get_object_or_404(Dispute.objects.select_related("round"), pk=dispute_id)
    form = _AudienceForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a recipient for the dossier."))
        return redirect("dispute", dispute_id)
    audience = Dossier.Audience(form.cleaned_data["audience"])
    _dossier, is_new = issue_dossier(dispute, audience, at=timezone.now(), actor=actor_in(request))
    notify_dossier_workers()
    if is_new:
        messages.success(request, _("The dossier was created. It will be signed shortly."))
    else:
        messages.info(request, _("The latest dossier for this recipient is up to date."))
    return redirect("dispute", dispute_id)


def download_file(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Download a file of a dossier. The download is recorded."""
    dossier = get_object_or_404(Dossier, pk=pk)
    if form not in CONTENT_TYPES:
        raise Http404
    try:
        content = download_dossier(dossier, form, at=timezone.now(), actor=actor_in(request))
    except NotSigned as error:
        raise Http404 from error
    return attachment(content, name=f"{dossier.name}.{form}", content_type=CONTENT_TYPES[form])
