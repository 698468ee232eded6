"""Decisions that the user signs in the browser.

A form with ``data-signed`` is sent twice. The first time the service answers with the text that is
to be signed, and writes nothing; the browser gets the options for the user's security key. The
second time the form brings the assertion and the time that the text names.
"""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.access.software_keys import software_key_of
from compliance.signatures.assertions import (
    Assertion,
    InvalidAssertion,
    base64url,
    challenge_of,
    parse_assertion,
)
from compliance.signatures.queries import KeyNotInForce, signing_keys_of
from compliance.signatures.sign_decision import SignatureRequired
from compliance.trail.actor import Actor, Signer
from compliance.trail.encoding import datetime_of
from compliance.trail.people import actor_of

PREPARES: Final = "X-Sabot-Signature"
"""The header of the first request, whose answer is JSON."""
_VALID_FOR: Final = timedelta(minutes=5)
SIGNING_ERRORS: Final = (InvalidAssertion, KeyNotInForce)


class _Presented:
    """The assertion that the browser sent. The service verifies it against its own text."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def sign(self, text: str) -> Assertion:
        """The assertion, whichever text it signs. Raises InvalidAssertion."""
        return parse_assertion(self._answer)


def signing_actor(request: HttpRequest) -> Actor:
    """The user, with the signature that the form brings, or with the demo's software key."""
    return actor_of(request_user(request))._replace(signer=_signer(request))


def decided_at(request: HttpRequest) -> datetime:
    """The time of the decision: the one that was signed, if that was minutes ago; else now."""
    now = timezone.now()
    try:
        signed = parse_datetime(request.POST.get("decided_at", ""))
    except ValueError:
        signed = None
    is_recent = (
        signed is not None and timezone.is_aware(signed) and now - _VALID_FOR < signed <= now
    )
    return signed if signed is not None and is_recent else now


def signed_view(view: Callable[..., HttpResponse], *, page: str) -> Callable[..., HttpResponse]:
    """Wrap a view of a decision: it asks for the signature that a service requires.

    Without JavaScript the user is told so on the page named ``page``.
    """

    @wraps(view)
    def signing(request: HttpRequest, **arguments: Any) -> HttpResponse:
        prepares = PREPARES in request.headers
        try:
            answer = view(request, **arguments)
        except SignatureRequired as required:
            if prepares:
                return _options(request, required.text)
        else:
            return _send_anyway(request) if prepares else answer
        messages.error(
            request, _("Decisions are signed with a security key. This needs JavaScript.")
        )
        return redirect(page)

    return signing


def signing_error_message(error: Exception) -> str:
    """Why a signature was not accepted."""
    if isinstance(error, KeyNotInForce):
        return _("This key does not sign for you. Check your signing keys on the page Security.")
    return _("The signature is not valid for this decision. Nothing was saved; sign again.")


def _signer(request: HttpRequest) -> Signer | None:
    if PREPARES in request.headers:
        return None
    if answer := request.POST.get("assertion", ""):
        return _Presented(answer)
    return software_key_of(request_user(request))


def _send_anyway(request: HttpRequest) -> JsonResponse:
    """There is nothing to sign: the form is wrong, and says why when it is sent again."""
    list(messages.get_messages(request))  # else they would be shown twice
    return JsonResponse({})


def _options(request: HttpRequest, text: str) -> JsonResponse:
    """What the browser asks the security key for. The text's first element is its time."""
    if software_key_of(request_user(request)) is not None:
        return JsonResponse({})
    keys = signing_keys_of(request_user(request).pk, at=timezone.now())
    if not keys:
        message = _("You have no signing key in force. Add one on the page Security.")
        return JsonResponse({"error": message}, status=409)
    public_key = {
        "challenge": base64url(challenge_of(text)),
        "rpId": keys[0].site,
        "allowCredentials": [
            {"type": "public-key", "id": base64url(bytes(key.credential_id))} for key in keys
        ],
        "userVerification": "required",
    }
    at = datetime_of(json.loads(text)[0])
    return JsonResponse({"publicKey": public_key, "decided_at": at.isoformat()})
