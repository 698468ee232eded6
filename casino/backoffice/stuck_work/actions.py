"""The POST actions of an item: each validates its form and calls one service."""

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

from casino.backoffice.stuck_work.messages import assignee_message, error_message
from casino.backoffice.stuck_work.retry import try_again
from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from compliance.trail.steps import StepError
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.lookup import known_work
from payouts.stuck_work.resolve import resolve_stuck_work
from payouts.stuck_work.work import WorkId
from rounds.services.queue import RoundNotRetryable


class StepForm(forms.Form):
    """The latest step that the user saw, and a note."""

    seen = forms.IntegerField(min_value=0)
    note = forms.CharField(required=False, max_length=2000)


class AssignForm(StepForm):
    """The new assignee; empty to unassign."""

    owner = forms.ModelChoiceField(
        User.objects.filter(is_active=True),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("User not found.")},
    )


def assign(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Assign or unassign the item."""
    work = _work(kind, key)
    with _show_errors(request):
        data = _cleaned_data(AssignForm(request.POST))
        owner, at = data["owner"], timezone.now()
        assign_stuck_work(work=work, owner=owner, at=at, actor=_actor(request), **_message(data))
        messages.success(request, assignee_message(owner))
    return redirect("stuck_item", kind, key)


def retry(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Retry the item immediately."""
    work = _work(kind, key)
    with _show_errors(request):
        seen = _cleaned_data(StepForm(request.POST))["seen"]
        tried = try_again(work, seen=seen, actor=_actor(request))
        level = messages.SUCCESS if tried.is_under_way else messages.WARNING
        messages.add_message(request, level, tried.words)
    return redirect("stuck_item", kind, key)


def resolve(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Mark the item as resolved."""
    work = _work(kind, key)
    with _show_errors(request):
        data = _cleaned_data(StepForm(request.POST))
        seen, reason, at = data["seen"], data["note"], timezone.now()
        resolve_stuck_work(work=work, reason=reason, seen=seen, at=at, actor=_actor(request))
        messages.success(request, _("Resolved and recorded."))
    return redirect("stuck_item", kind, key)


def _work(kind: str, key: str) -> WorkId:
    work = known_work(kind, key)
    if work is None:
        raise Http404
    return work


class _NotUnderstood(Exception):
    """The form is invalid or not ours."""


def _cleaned_data(form: forms.Form) -> dict[str, Any]:
    if not form.is_valid():
        raise _NotUnderstood(next(iter(form.errors.values()))[0])
    return form.cleaned_data


def _message(data: dict[str, Any]) -> dict[str, Any]:
    return {"seen": data["seen"], "note": data["note"]}


def _actor(request: HttpRequest) -> Actor:
    return actor_of(cast("User", request.user))  # the view requires a logged-in user


@contextmanager
def _show_errors(request: HttpRequest) -> Iterator[None]:
    """Show the expected errors of an action to the user."""
    try:
        yield
    except (StepError, RoundNotRetryable) as error:
        messages.warning(request, error_message(error))
    except _NotUnderstood as error:
        messages.error(request, str(error))
