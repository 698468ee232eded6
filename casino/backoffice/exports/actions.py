"""The POST actions of a bundle: each validates its form and calls one service."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.exports.messages import error_message
from casino.backoffice.security.confirmation import require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import action_view, cleaned_data_of
from casino.backoffice.site.form_fields import MOST_TEXT, FilesField, LetterForm, letter_of
from compliance.exports.bundle_status import Stage
from compliance.exports.models import Bundle
from compliance.exports.services.bundle_steps import (
    answer_bundle,
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from compliance.trail.steps import StepError
from payouts.evidence import InvalidEvidence


class _SignatureForm(forms.Form):
    seen = forms.IntegerField(min_value=0)
    read = forms.BooleanField(
        error_messages={"required": gettext_lazy("Confirm that you have reviewed the contents.")}
    )
    note = forms.CharField(required=False, max_length=MOST_TEXT)
    code = forms.CharField(required=False, max_length=40)


class _AsideForm(forms.Form):
    seen = forms.IntegerField(min_value=0)
    note = forms.CharField(max_length=MOST_TEXT)


class _AnswerForm(LetterForm):
    answer = forms.ChoiceField(choices=[("received", "received"), ("refused", "refused")])
    papers = FilesField(required=False)


def _bundle_or_404(number: int) -> Bundle:
    return get_object_or_404(Bundle, number=number)


_action: Final = action_view(
    "bundle", get_object=_bundle_or_404, errors=(StepError, InvalidEvidence), message=error_message
)


@_action
def sign(request: HttpRequest, bundle: Bundle) -> None:
    """Sign the bundle. Requires a confirmed second factor."""
    data = cleaned_data_of(_SignatureForm(request.POST))
    require_confirmed(request, data["code"])
    stage = sign_bundle(
        number=bundle.number,
        seen=data["seen"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    if stage is Stage.APPROVED:
        messages.success(request, _("Signed by two persons. The bundle can be sent."))
    else:
        messages.success(request, _("Signed. A second signature is required."))


@_action
def set_aside(request: HttpRequest, bundle: Bundle) -> None:
    """Record that the bundle will not be sent."""
    data = cleaned_data_of(_AsideForm(request.POST))
    set_bundle_aside(
        number=bundle.number,
        seen=data["seen"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Bundle set aside. Its number remains in the chain."))


@_action
def send(request: HttpRequest, bundle: Bundle) -> None:
    """Record that the bundle was sent to the regulator."""
    data = cleaned_data_of(LetterForm(request.POST))
    send_bundle(
        number=bundle.number,
        seen=data["seen"],
        letter=letter_of(data),
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Recorded. The bundle is awaiting the regulator's answer."))


@_action
def answer(request: HttpRequest, bundle: Bundle) -> None:
    """Record the regulator's answer, with its document."""
    data = cleaned_data_of(_AnswerForm(request.POST, request.FILES))
    answer_bundle(
        number=bundle.number,
        seen=data["seen"],
        is_received=data["answer"] == "received",
        letter=letter_of(data),
        file=data["papers"][0] if data["papers"] else None,
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Answer recorded."))
