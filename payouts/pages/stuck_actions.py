"""What a person may do about stuck work: one form, one call, one message."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.trail.actor import Actor
from payouts.pages.stuck_retry import try_again
from payouts.pages.stuck_words import owner_words, refusal_words
from payouts.services.assign_stuck_work import assign_stuck_work
from payouts.services.resolve_stuck_work import resolve_stuck_work
from payouts.services.stuck_steps import StuckWorkRefusal
from payouts.stuck.find import known_work
from payouts.stuck.people import actor_of
from payouts.stuck.work import WorkId
from rounds.services.queue import NotHastened


class StepForm(forms.Form):
    """What every action knows: the latest step that the person saw, and what they say."""

    seen = forms.IntegerField(min_value=0)
    note = forms.CharField(required=False, max_length=2000)


class AssignForm(StepForm):
    """Who should have the work; nobody, when it is given back."""

    owner = forms.ModelChoiceField(
        User.objects.filter(is_active=True),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("There is no such person.")},
    )


def assign(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Gives the work to somebody, or back to nobody."""
    work = _work(kind, key)
    with _told(request):
        asked = _asked(AssignForm(request.POST))
        owner, at = asked["owner"], timezone.now()
        assign_stuck_work(work=work, owner=owner, at=at, actor=_actor(request), **_said(asked))
        messages.success(request, owner_words(owner))
    return redirect("stuck_item", kind, key)


def retry(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Tries the work again at once."""
    work = _work(kind, key)
    with _told(request):
        seen = _asked(StepForm(request.POST))["seen"]
        tried = try_again(work, seen=seen, actor=_actor(request))
        level = messages.SUCCESS if tried.is_under_way else messages.WARNING
        messages.add_message(request, level, tried.words)
    return redirect("stuck_item", kind, key)


def resolve(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Says that somebody has dealt with the work, and why it is done with."""
    work = _work(kind, key)
    with _told(request):
        asked = _asked(StepForm(request.POST))
        seen, reason, at = asked["seen"], asked["note"], timezone.now()
        resolve_stuck_work(work=work, reason=reason, seen=seen, at=at, actor=_actor(request))
        messages.success(request, _("It is dealt with, and stays on record."))
    return redirect("stuck_item", kind, key)


def _work(kind: str, key: str) -> WorkId:
    work = known_work(kind, key)
    if work is None:
        raise Http404
    return work


class _NotUnderstood(Exception):
    """The form was not filled in on our page, or not as it asks."""


def _asked(form: forms.Form) -> dict[str, Any]:
    if not form.is_valid():
        raise _NotUnderstood(next(iter(form.errors.values()))[0])
    return form.cleaned_data


def _said(asked: dict[str, Any]) -> dict[str, Any]:
    return {"seen": asked["seen"], "note": asked["note"]}


def _actor(request: HttpRequest) -> Actor:
    return actor_of(cast("User", request.user))  # nobody else gets here


@contextmanager
def _told(request: HttpRequest) -> Iterator[None]:
    """Tells the person why nothing was done."""
    try:
        yield
    except (StuckWorkRefusal, NotHastened) as refusal:
        messages.warning(request, refusal_words(refusal))
    except _NotUnderstood as refusal:
        messages.error(request, str(refusal))
