"""Bulk actions on the exceptions queue; each item succeeds or fails by itself."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.access.current_user import request_user
from casino.backoffice.stuck_work.messages import error_message
from casino.backoffice.stuck_work.retry import retry_now
from casino.backoffice.stuck_work.work_list import query_of
from compliance.trail.people import actor_of
from compliance.trail.steps import StepError
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.lookup import known_work
from payouts.stuck_work.queue import SIZE
from payouts.stuck_work.resolve import resolve_stuck_work
from payouts.stuck_work.work import WorkId
from rounds.services.queue import RoundNotRetryable

_SELECTED: Final = re.compile(r"(\w+):([\w-]+):([0-9]{1,9})")


class SelectedItem(NamedTuple):
    """A selected item, with the latest step that the user saw."""

    work: WorkId
    seen: int


class BulkForm(forms.Form):
    """The action, and its note."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("take", "retry", "resolve")])
    note = forms.CharField(required=False, max_length=2000)


def act_on_selected(request: HttpRequest) -> HttpResponse:
    """Apply an action to the selected items, and report the failures."""
    form = BulkForm(request.POST)
    kind, whose = request.POST.get("kind", ""), request.POST.get("whose", "")
    back = redirect(f"{reverse('stuck_work')}?{query_of(kind=kind, whose=whose)}")
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return back
    act = _ACTIONS[form.cleaned_data["action"]]
    person = request_user(request)
    results: Counter[str] = Counter()
    for item in selected_items(request.POST.getlist("work")[:SIZE]):
        results[outcome_of(partial(act, item, person, form.cleaned_data["note"]))] += 1
    show_results(request, results)
    return back


DONE: Final = ""
"""The outcome of an item that was processed."""
_Act = Callable[[SelectedItem, User, str], str]


def _take(item: SelectedItem, person: User, note: str) -> str:
    actor, at = actor_of(person), timezone.now()
    assign_stuck_work(work=item.work, owner=person, note=note, seen=item.seen, at=at, actor=actor)
    return DONE


def _retry(item: SelectedItem, person: User, _note: str) -> str:
    result = retry_now(item.work, seen=item.seen, actor=actor_of(person))
    return DONE if result.is_started else result.message


def _resolve(item: SelectedItem, person: User, note: str) -> str:
    actor, at = actor_of(person), timezone.now()
    resolve_stuck_work(work=item.work, reason=note, seen=item.seen, at=at, actor=actor)
    return DONE


_ACTIONS: Final[Mapping[str, _Act]] = {"take": _take, "retry": _retry, "resolve": _resolve}


def outcome_of(act: Callable[[], str | None]) -> str:
    """Empty on success, else the error message."""
    try:
        return act() or DONE
    except (StepError, RoundNotRetryable) as error:
        return error_message(error)


def selected_items(texts: Iterable[str]) -> Iterator[SelectedItem]:
    """The items of the checkboxes; unknown ones are left out."""
    for text in texts:
        if match := _SELECTED.fullmatch(text):
            kind, key, seen = match.groups()
            work = known_work(kind, key)
            if work is not None:
                yield SelectedItem(work, int(seen))


def show_results(request: HttpRequest, results: Counter[str]) -> None:
    """The number of processed items, and of failures by reason."""
    if not results:
        messages.warning(request, _("None of the selected items is still open."))
    if done := results.pop(DONE, 0):
        message = ngettext("%(number)s item processed.", "%(number)s items processed.", done)
        messages.success(request, message % {"number": done})
    for message, number in results.items():
        failure = _("%(number)s not processed: %(why)s")
        messages.warning(request, failure % {"number": number, "why": message})
