"""What views of POST actions share: validate a form, show errors, return to the page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, TypeVar

from django import forms
from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _

from casino.backoffice.security.confirmation import NotConfirmed
from casino.backoffice.site.error_pages import page_before
from casino.backoffice.site.noted_messages import ACCEPTED
from compliance.trail.steps import StaleState
from rounds.formatting import moment

_Row = TypeVar("_Row", bound=Model)

UNSAVED: Final = "unsaved"
"""The tag of messages that say why entries were not saved."""


def cleaned_data_of(form: forms.Form) -> dict[str, Any]:
    """The validated values of a form. Raises ValidationError with the first error."""
    if not form.is_valid():
        raise forms.ValidationError(next(iter(form.errors.values()))[0])
    return form.cleaned_data


@contextmanager
def show_errors(
    request: HttpRequest, *errors: type[Exception], message: Callable[[Any], str]
) -> Iterator[None]:
    """Show the expected errors of an action to the user, instead of raising them.

    The entries are kept as a draft, which the page restores (``casino/backoffice/drafts``).
    """
    try:
        yield
    except errors as error:
        messages.warning(request, message(error), extra_tags=UNSAVED)
    except NotConfirmed as error:
        messages.error(request, str(error), extra_tags=UNSAVED)
    except forms.ValidationError as error:
        messages.error(request, error.messages[0], extra_tags=UNSAVED)


def conflict_message(error: StaleState) -> str:
    """The message for a step that another user added in the meantime."""
    return step_message(
        error,
        _("%(who)s already updated this item (%(what)s, %(when)s). Your change was not saved."),
    )


def step_message(error: StaleState, text: str) -> str:
    """``text`` with who added the latest step, what it is and when."""
    step = error.latest
    return text % {
        "who": step.actor,
        "what": step.get_action_display(),
        "when": moment(step.at, "s"),
    }


def warn_broker_unavailable(request: HttpRequest) -> None:
    """Warn that processing starts later, because no worker was notified."""
    text = _("The message broker is unavailable. Processing starts as soon as it is back.")
    messages.warning(request, text, extra_tags=ACCEPTED)


def action_view(
    page: str,
    *,
    get_object: Callable[[int], _Row],
    errors: tuple[type[Exception], ...],
    message: Callable[[Any], str],
) -> Callable[[Callable[[HttpRequest, _Row], None]], Callable[..., HttpResponse]]:
    """Decorate a function that performs an action on an object.

    The view loads the object (Http404), shows expected errors, and redirects to ``page``; after an
    error with the query string it had, so that the same form is shown.
    """

    def decorate(action: Callable[[HttpRequest, _Row], None]) -> Callable[..., HttpResponse]:
        @wraps(action)
        def view(request: HttpRequest, **ids: int) -> HttpResponse:
            [pk] = ids.values()
            row = get_object(pk)
            is_saved = False
            with show_errors(request, *errors, message=message):
                action(request, row)
                is_saved = True
            address = resolve_url(page, pk)
            before = page_before(request)
            is_form = before == address or before.startswith(f"{address}?")
            return redirect(before if is_form and not is_saved else address)

        return view

    return decorate
