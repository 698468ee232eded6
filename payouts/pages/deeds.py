"""What the forms of a case and of a bundle share: what was asked, and why nothing was done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest

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
