"""Decisions that the user signs in the browser.

A form with ``data-signed`` is sent twice. The first time the service answers with the text that is
to be signed, and writes nothing; the browser gets the options for the user's security key. The
second time the form brings the assertion, the time, and the names that the text gives to new rows.
What is refused the first time is shown beside the form, which keeps what was entered; a form that
shows its own errors is sent again for them.
A form so marked must lead to a signed decision, or fail: what is not signed would be done twice.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.http import url_has_allowed_host_and_scheme
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
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyNotInForce, signing_keys_of
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.signature_verifier import NotEntitled, SignatureVerifier
from compliance.trail.actor import Actor, Signer
from compliance.trail.people import actor_of

PREPARES: Final = "X-Sabot-Signature"
"""The header of the first request, whose answer is JSON."""
_VALID_FOR: Final = timedelta(minutes=5)
_NAMED: Final = "casino.backoffice.signatures"


class SignatureMiddleware:
    """Asks the browser for the signature that a service requires, and says why one is invalid."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer of the view; to the first request, what the browser has to do."""
        answer = self._get_response(request)
        if PREPARES not in request.headers or isinstance(answer, JsonResponse):
            return answer
        refused = [
            str(message)
            for message in messages.get_messages(request)
            if message.level >= messages.WARNING
        ]
        return JsonResponse({"error": " ".join(refused)} if refused else {})

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The options for the security key, or back to the page with what is wrong."""
        if isinstance(error, SignatureRequired):
            if PREPARES in request.headers:
                return _options(request, error)
            message = _("Decisions are signed with a security key. This needs JavaScript.")
        elif isinstance(error, KeyNotInForce):
            message = _(
                "This key does not sign for you. Check your signing keys on the page Security."
            )
        elif isinstance(error, NotEntitled):
            message = _(
                "No signed decision gives you a role that may decide this. Two administrators give"
                " it first. If records of the audit log were lost, they give it again."
            )
        elif isinstance(error, InvalidAssertion):
            message = _(
                "The signature is not valid for this decision. Nothing was saved; sign again."
            )
        else:
            return None
        messages.error(request, message)
        return redirect(_page_before(request))


def _page_before(request: HttpRequest) -> str:
    """The page with the form; the first page if the browser does not name it."""
    address = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}):
        return address
    return reverse("admin:index")


class _FormSigner:
    """Signs with what the form brings, and knows the names that the signed text gives."""

    def __init__(self, sign: Callable[[str], Assertion], subjects: Sequence[str]) -> None:
        self.sign, self.subjects = sign, subjects


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


def _signer(request: HttpRequest) -> Signer | None:
    if PREPARES in request.headers:
        return None
    if answer := request.POST.get("assertion", ""):
        return _FormSigner(lambda _text: parse_assertion(answer), _named(request))
    key = software_key_of(request_user(request))
    return None if key is None else _FormSigner(key.sign, _named(request))


def _named(request: HttpRequest) -> list[str]:
    """The subjects that the signed text names, as this site numbered them."""
    try:
        named: list[str] = signing.loads(
            request.POST.get("named", ""), salt=_NAMED, max_age=_VALID_FOR
        )
    except signing.BadSignature:
        return []
    return named


def _options(request: HttpRequest, required: SignatureRequired) -> JsonResponse:
    """What the browser asks the person's key for."""
    person, at = request_user(request), required.at
    fields = {
        "decided_at": at.isoformat(),
        "named": signing.dumps(required.subjects, salt=_NAMED),
    }
    if software_key_of(person) is not None:
        return JsonResponse({"fields": fields})
    keys = signing_keys_of(person.pk, at=at)
    verifier = SignatureVerifier()
    approved = [key for key in keys if verifier.signs(key, at=at)]
    if not approved:
        return JsonResponse({"error": _no_key_message(has_keys=bool(keys))}, status=409)
    options = _key_options(approved, base64url(challenge_of(required.text)))
    return JsonResponse({**options, "fields": fields})


def _no_key_message(*, has_keys: bool) -> str:
    if has_keys:
        return _(
            "The approval of your signing key does not count: it is not in the signed log yet, or"
            " SIGNING_KEY_ROOTS does not name the first key that it goes back to."
        )
    return _("You have no signing key in force. Add one on the page Security.")


def _key_options(keys: Sequence[SigningKey], challenge: str) -> dict[str, Any]:
    """What the page asks keys in browsers (``browserKeys``) and security keys (``publicKey``)."""
    options: dict[str, Any] = {}
    if in_browsers := [key for key in keys if key.is_browser]:
        ids = [base64url(bytes(key.credential_id)) for key in in_browsers]
        options["browserKeys"] = {"challenge": challenge, "ids": ids}
    if others := [key for key in keys if not key.is_browser]:
        options["publicKey"] = {
            "challenge": challenge,
            "rpId": others[0].site,
            "allowCredentials": [
                {"type": "public-key", "id": base64url(bytes(key.credential_id))} for key in others
            ],
            "userVerification": "required",
        }
    return options
