"""The POST actions of an item: each validates its form and calls one service."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.stuck_work.messages import assignee_message, error_message
from casino.backoffice.stuck_work.retry import retry_now
from compliance.trail.steps import StepError
from payouts.settlement.queries import is_held
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.lookup import known_work
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.resolve import resolve_stuck_work
from payouts.stuck_work.work import WorkId
from rounds.services.queue import RoundNotRetryable

_ERRORS: Final = (StepError, RoundNotRetryable)


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
    with show_errors(request, *_ERRORS, message=error_message):
        data = cleaned_data_of(AssignForm(request.POST))
        assign_stuck_work(
            work=work,
            owner=data["owner"],
            note=data["note"],
            seen=data["seen"],
            at=timezone.now(),
            actor=actor_in(request),
        )
        messages.success(request, assignee_message(data["owner"]))
    if work.kind is WorkKind.ROUND and is_held(work.key):
        return redirect("admin:rounds_round_change", work.key)
    return redirect("stuck_item", kind, key)


def retry(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Retry the item immediately."""
    work = _work(kind, key)
    with show_errors(request, *_ERRORS, message=error_message):
        seen = cleaned_data_of(StepForm(request.POST))["seen"]
        result = retry_now(work, seen=seen, actor=actor_in(request))
        level = messages.SUCCESS if result.is_started else messages.WARNING
        messages.add_message(request, level, result.message)
    return redirect("stuck_item", kind, key)


def resolve(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Mark the item as resolved."""
    work = _work(kind, key)
    with show_errors(request, *_ERRORS, message=error_message):
        data = cleaned_data_of(StepForm(request.POST))
        seen, reason, at = data["seen"], data["note"], timezone.now()
        resolve_stuck_work(work=work, reason=reason, seen=seen, at=at, actor=actor_in(request))
        messages.success(request, _("Resolved and recorded."))
    return redirect("stuck_item", kind, key)


def _work(kind: str, key: str) -> WorkId:
    work = known_work(kind, key)
    if work is None:
        raise Http404
    return work
