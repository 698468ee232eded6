"""Why a form or an upload of a person was refused, for the line of its request.

Pages say it in messages, in the errors of forms and in error pages; each notes it here. It is
logged in English, as the program's own text, without what the person entered.
"""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import Promise

from casino.access.client_address import address_of
from casino.operations.english_texts import english_of

_NOTED: Final = "casino.refusals"
_API: Final = ("/api/", "/scim/")
_READING: Final = ("GET", "HEAD", "OPTIONS")


def note_refusal(request: HttpRequest, text: str | Promise, *, field: str = "") -> None:
    """Remember what the person is told, in their language, and the field that it is about."""
    request.META.setdefault(_NOTED, []).append((field, str(text)))


def note_errors_of_forms(request: HttpRequest, context: dict[str, Any] | None) -> None:
    """Remember the errors of the forms that a page shows again."""
    for form in _forms_in((context or {}).values()):
        for field, errors in form.errors.as_data().items():
            for error in errors:
                name = "" if field == NON_FIELD_ERRORS else field
                note_refusal(request, error.message, field=name)


def refusal_of(request: HttpRequest, answer: HttpResponseBase) -> dict[str, str]:
    """The account that was refused something, and of a form why, and from which address.

    Calls of programs have an audit record with the reason (``casino/api/call_log.py``).
    """
    is_form = request.method not in _READING and not request.path_info.startswith(_API)
    reasons = _reasons(request, answer) if is_form else ""
    if not reasons and answer.status_code != HTTPStatus.FORBIDDEN:
        return {}
    person = getattr(request, "user", None)  # none yet, where a form is not checked
    account = {"account": f"user:{person.pk}"} if person and person.is_authenticated else {}
    if not reasons:
        return account
    return {**account, "refused": reasons, "address": address_of(request) or "unknown"}


def _reasons(request: HttpRequest, answer: HttpResponseBase) -> str:
    noted = [
        f"{field}: {english_of(text)}" if field else english_of(text)
        for field, text in request.META.get(_NOTED, [])
    ]
    status = answer.status_code
    is_refused = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    if is_refused and not noted:
        noted = [HTTPStatus(status).phrase]
    return "; ".join(dict.fromkeys(noted))


def _forms_in(values: Iterable[Any]) -> Iterator[BaseForm]:
    """Those that a view has validated: to ask others for errors would run them once more."""
    for value in values:
        if isinstance(value, BaseForm) and "cleaned_data" in vars(value):
            yield value
        elif isinstance(value, list | tuple):
            yield from _forms_in(value)
