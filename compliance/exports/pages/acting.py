"""What the forms of a bundle do: one form, one call, one message."""

from contextlib import AbstractContextManager
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.exports.models import Bundle
from compliance.exports.pages.words import refusal_words
from compliance.exports.services.bundle_steps import (
    BundleRefusal,
    answer_bundle,
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from compliance.exports.standing import Stage
from payouts.pages.asked import asker
from payouts.pages.cases.forms import FilesField
from payouts.pages.confirming import require_confirmed
from payouts.pages.deeds import asked_of, refusals_told
from payouts.services.decide_case import Letter
from payouts.services.open_case import NotEvidence

_MOST_TEXT: Final = 4_000


class _SignatureForm(forms.Form):
    seen = forms.IntegerField(min_value=0)
    read = forms.BooleanField(
        error_messages={"required": gettext_lazy("Say that you have looked at what it holds.")}
    )
    note = forms.CharField(required=False, max_length=_MOST_TEXT)
    code = forms.CharField(required=False, max_length=40)


class _AsideForm(forms.Form):
    seen = forms.IntegerField(min_value=0)
    note = forms.CharField(max_length=_MOST_TEXT)


class _LetterForm(forms.Form):
    seen = forms.IntegerField(min_value=0)
    reference = forms.CharField(max_length=100)
    on_day = forms.DateField()
    note = forms.CharField(required=False, max_length=_MOST_TEXT)


class _AnswerForm(_LetterForm):
    answer = forms.ChoiceField(choices=[("received", "received"), ("refused", "refused")])
    papers = FilesField(required=False)


def sign(request: HttpRequest, number: int) -> HttpResponse:
    """Signs the bundle, by somebody who has just proved who they are."""
    with _told(request, number):
        asked = asked_of(_SignatureForm(request.POST))
        require_confirmed(request, asked["code"])
        stage = sign_bundle(
            number=number,
            seen=asked["seen"],
            note=asked["note"],
            at=timezone.now(),
            actor=asker(request),
        )
        if stage is Stage.APPROVED:
            messages.success(request, _("Signed by two. The bundle may be sent."))
        else:
            messages.success(request, _("Signed. A second person signs, too."))
    return redirect("bundle", number)


def set_aside(request: HttpRequest, number: int) -> HttpResponse:
    """Says that it will not be sent."""
    with _told(request, number):
        asked = asked_of(_AsideForm(request.POST))
        set_bundle_aside(number=number, at=timezone.now(), actor=asker(request), **asked)
        messages.success(request, _("Set aside. Its number stays taken in the chain."))
    return redirect("bundle", number)


def send(request: HttpRequest, number: int) -> HttpResponse:
    """Says that it was sent."""
    with _told(request, number):
        asked = asked_of(_LetterForm(request.POST))
        send_bundle(
            number=number,
            seen=asked["seen"],
            letter=_letter(asked),
            at=timezone.now(),
            actor=asker(request),
        )
        messages.success(request, _("On record. The bundle waits for the answer."))
    return redirect("bundle", number)


def answer(request: HttpRequest, number: int) -> HttpResponse:
    """Says what the regulator answered, with the answer itself."""
    with _told(request, number):
        asked = asked_of(_AnswerForm(request.POST, request.FILES))
        answer_bundle(
            number=number,
            seen=asked["seen"],
            is_received=asked["answer"] == "received",
            letter=_letter(asked),
            file=asked["papers"][0] if asked["papers"] else None,
            at=timezone.now(),
            actor=asker(request),
        )
        messages.success(request, _("The answer is on record."))
    return redirect("bundle", number)


def _letter(asked: dict[str, Any]) -> Letter:
    return Letter(asked["reference"], asked["on_day"], asked["note"])


def _told(request: HttpRequest, number: int) -> AbstractContextManager[None]:
    """Tells the person why nothing was done; 404 where there is no such bundle."""
    if not Bundle.objects.filter(number=number).exists():
        raise Http404
    return refusals_told(request, BundleRefusal, NotEvidence, words=refusal_words)
