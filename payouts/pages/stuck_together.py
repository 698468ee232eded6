"""One thing done about many pieces of stuck work, each by itself: some may be refused."""

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

from payouts.pages.stuck_list import query_of
from payouts.pages.stuck_retry import try_again
from payouts.pages.stuck_words import refusal_words
from payouts.services.assign_stuck_work import assign_stuck_work
from payouts.services.resolve_stuck_work import resolve_stuck_work
from payouts.services.stuck_steps import StuckWorkRefusal
from payouts.stuck.find import known_work
from payouts.stuck.people import actor_of
from payouts.stuck.queue import SIZE
from payouts.stuck.work import WorkId
from rounds.services.queue import NotHastened

_MARKED: Final = re.compile(r"(\w+):([\w-]+):([0-9]{1,9})")


class Marked(NamedTuple):
    """A marked line: the work, and the latest step that the person saw of it."""

    work: WorkId
    seen: int


class TogetherForm(forms.Form):
    """What is to be done, and why."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("take", "retry", "resolve")])
    note = forms.CharField(required=False, max_length=2000)


def act_together(request: HttpRequest) -> HttpResponse:
    """Does one thing about every marked line of the list, and tells how many were refused."""
    form = TogetherForm(request.POST)
    kind, whose = request.POST.get("kind", ""), request.POST.get("whose", "")
    back = redirect(f"{reverse('stuck_work')}?{query_of(kind=kind, whose=whose)}")
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return back
    act = _ACTIONS[form.cleaned_data["action"]]
    person = cast("User", request.user)  # nobody else gets here
    told: Counter[str] = Counter()
    for marked in _marked(request.POST.getlist("work")[:SIZE]):
        told[_outcome(act, marked, person, form.cleaned_data["note"])] += 1
    _tell(request, told)
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
    """Empty when it was done, else why not."""
    try:
        return act(marked, person, note)
    except (StuckWorkRefusal, NotHastened) as refusal:
        return refusal_words(refusal)


def _marked(texts: list[str]) -> Iterator[Marked]:
    for text in texts:
        if read := _MARKED.fullmatch(text):
            kind, key, seen = read.groups()
            work = known_work(kind, key)
            if work is not None:
                yield Marked(work, int(seen))


def _tell(request: HttpRequest, told: Counter[str]) -> None:
    """How many were done; and of those that were not, how many for which reason."""
    if not told:
        messages.warning(request, _("Nothing was marked that still stands still."))
    if done := told.pop(_DONE, 0):
        words = ngettext("Done with %(number)s piece.", "Done with %(number)s pieces.", done)
        messages.success(request, words % {"number": done})
    for words, number in told.items():
        refused = _("Not done with %(number)s: %(why)s")
        messages.warning(request, refused % {"number": number, "why": words})
