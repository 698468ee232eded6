"""Bulk actions on the exceptions queue; each item succeeds or fails by itself."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.backoffice.stuck_work.messages import error_message
from casino.backoffice.stuck_work.retry import try_again
from casino.backoffice.stuck_work.work_list import query_of
from compliance.trail.people import actor_of
from compliance.trail.steps import StepError
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.lookup import known_work
from payouts.stuck_work.queue import SIZE
from payouts.stuck_work.resolve import resolve_stuck_work
from payouts.stuck_work.work import WorkId
from rounds.services.queue import RoundNotRetryable

_MARKED: Final = re.compile(r"(\w+):([\w-]+):([0-9]{1,9})")


class Marked(NamedTuple):
    """A selected item, with the latest step that the user saw."""

    work: WorkId
    seen: int


class TogetherForm(forms.Form):
    """The action, and its note."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("take", "retry", "resolve")])
    note = forms.CharField(required=False, max_length=2000)


def act_together(request: HttpRequest) -> HttpResponse:
    """Apply an action to the selected items, and report the failures."""
    form = TogetherForm(request.POST)
    kind, whose = request.POST.get("kind", ""), request.POST.get("whose", "")
    back = redirect(f"{reverse('stuck_work')}?{query_of(kind=kind, whose=whose)}")
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return back
    act = _ACTIONS[form.cleaned_data["action"]]
    person = cast("User", request.user)  # the view requires a logged-in user
    results: Counter[str] = Counter()
    for marked in _marked(request.POST.getlist("work")[:SIZE]):
        results[_outcome(act, marked, person, form.cleaned_data["note"])] += 1
    _tell(request, results)
    return back


_DONE: Final = ""
_Act = Callable[[Marked, User, str], str]


def _take(marked: Marked, person: User, note: str) -> str:
    actor, at = actor_of(person), timezone.now()
    assign_stuck_work(
        work=marked.work, owner=person, note=note, seen=marked.seen, at=at, actor=actor
    )
    return _DONE


def _retry(marked: Marked, person: User, _note: str) -> str:
    tried = try_again(marked.work, seen=marked.seen, actor=actor_of(person))
    return _DONE if tried.is_under_way else tried.words


def _resolve(marked: Marked, person: User, note: str) -> str:
    actor, at = actor_of(person), timezone.now()
    resolve_stuck_work(work=marked.work, reason=note, seen=marked.seen, at=at, actor=actor)
    return _DONE


_ACTIONS: Final[Mapping[str, _Act]] = {"take": _take, "retry": _retry, "resolve": _resolve}


def _outcome(act: _Act, marked: Marked, person: User, note: str) -> str:
    """Empty on success, else the error message."""
    try:
        return act(marked, person, note)
    except (StepError, RoundNotRetryable) as error:
        return error_message(error)


def _marked(texts: list[str]) -> Iterator[Marked]:
    for text in texts:
        if read := _MARKED.fullmatch(text):
            kind, key, seen = read.groups()
            work = known_work(kind, key)
            if work is not None:
                yield Marked(work, int(seen))


def _tell(request: HttpRequest, failures: Counter[str]) -> None:
    """The number of processed items, and of failures by reason."""
    if not failures:
        messages.warning(request, _("None of the selected items is still open."))
    if done := failures.pop(_DONE, 0):
        message = ngettext("%(number)s item processed.", "%(number)s items processed.", done)
        messages.success(request, message % {"number": done})
    for message, number in failures.items():
        failure = _("%(number)s not processed: %(why)s")
        messages.warning(request, failure % {"number": number, "why": message})
