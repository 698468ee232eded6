"""What the forms of cases, disputes and bundles share: what was asked, and why nothing was done."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise

from payouts.pages.asked import asker
from payouts.pages.confirming import NotConfirmed


def asked_of(form: forms.Form) -> dict[str, Any]:
    """What a form says; ValidationError with the first thing that is wrong with it."""
    if not form.is_valid():
        raise forms.ValidationError(next(iter(form.errors.values()))[0])
    return form.cleaned_data


@contextmanager
def refusals_told(
    request: HttpRequest, *refusals: type[Exception], words: Callable[[Any], str]
) -> Iterator[None]:
    """Tells the person why nothing was done: these refusals in words, and what was not proved."""
    try:
        yield
    except refusals as refusal:
        messages.warning(request, words(refusal))
    except NotConfirmed as refusal:
        messages.error(request, str(refusal))
    except forms.ValidationError as refusal:
        messages.error(request, refusal.messages[0])


class Deeds(NamedTuple):
    """What persons do on the page of one kind of thing; afterwards they are there again."""

    known: Callable[[int], object]
    """Raises Http404 where there is no such thing."""
    page: str
    """The name of its address."""
    refusals: tuple[type[Exception], ...]
    """Whatever its services refuse."""
    words: Callable[[Any], str]

    def deed(
        self,
        form: type[forms.Form],
        service: Callable[..., object],
        done: Promise,
        *,
        reading: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    ) -> Callable[..., HttpResponse]:
        """A view: the form, the service with what ``reading`` makes of it, and what is said then.

        The address and the service call the thing by the same name (``case_id``).
        """

        def view(request: HttpRequest, **thing: int) -> HttpResponse:
            self.known(*thing.values())
            with self.refusals_told(request):
                asked = reading(asked_of(form(request.POST)))
                service(**thing, **asked, at=timezone.now(), actor=asker(request))
                messages.success(request, str(done))
            return redirect(self.page, *thing.values())

        return view

    def refusals_told(self, request: HttpRequest) -> AbstractContextManager[None]:
        """Tells the person why nothing was done."""
        return refusals_told(request, *self.refusals, words=self.words)
