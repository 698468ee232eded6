"""Signatures of delivering requests: verified before anything is stored."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from casino.api.problems import FieldError, Problem, declare_problem
from rounds.models import SignedBatch
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.message_signature import (
    ContentDigests,
    MessageSignature,
    parse_message_signature,
)
from rounds.signatures.public_keys import is_signed
from rounds.signatures.signature import Signature
from rounds.signatures.studio_keys import registered_key

SIGNATURE_INVALID: Final = declare_problem(
    "signature-invalid",
    400,
    _("The signature of the request is invalid"),
    _("Nothing was stored. Sign the request as documented and send it again, or send it unsigned."),
)
_HEADERS: Final = ("Signature", "Signature-Input")


def is_signed_request(request: Request) -> bool:
    """Whether the request claims to be signed."""
    return any(name in request.headers for name in _HEADERS)


def verify_request(
    request: Request,
    digests: ContentDigests,
    content: Callable[[], Iterable[bytes]],
    *,
    at: datetime,
) -> Signature | None:
    """The signature of a request whose whole body was read; None if it does not count.

    A request without a signature has none. A right signature by a key that does not count (not yet
    approved or valid, expired, revoked) proves nothing either: its rounds are taken as unsigned
    (contract, detail 47). Raises Problem if the signature is wrong: what arrived is not what was
    signed, and stored, it would stand in the way of the true document.
    """
    if not is_signed_request(request):
        return None
    try:
        return _verified(request, digests, content, at=at)
    except InvalidSignature as error:
        field = FieldError(error.field, error.found, error.needed)
        raise Problem(SIGNATURE_INVALID, errors=[field]) from error


def _verified(
    request: Request,
    digests: ContentDigests,
    content: Callable[[], Iterable[bytes]],
    *,
    at: datetime,
) -> Signature | None:
    signed = parse_message_signature(request.headers, lambda name: _component(request, name))
    _check_times(signed, at)
    known = registered_key(signed.key_id, at=at)
    if known is None:
        raise InvalidSignature("header:Signature-Input", signed.key_id, "a registered studio key")
    if not is_signed(bytes(known.key.public_key), signed.signature, signed.signed_text):
        needed = f"the signature of this text: {signed.signed_text.decode()}"
        raise InvalidSignature("header:Signature", request.headers["Signature"], needed)
    digests.check(request.headers.get("Content-Digest", ""))
    if not known.counts:
        return None
    return Signature(
        known.key,
        SignedBatch.Form.HTTP,
        signed.signed_text,
        signed.signature,
        digests.sha256(),
        content,
    )


def _check_times(signed: MessageSignature, at: datetime) -> None:
    window = timedelta(seconds=settings.MAX_CLOCK_SKEW_SECONDS)
    earliest, latest = int((at - window).timestamp()), int((at + window).timestamp())
    if not earliest <= signed.created <= latest:
        needed = f"created from {_moment(earliest)} to {_moment(latest)}"
        raise InvalidSignature("header:Signature-Input", f"created={signed.created}", needed)
    if signed.expires is not None and signed.expires < at.timestamp():
        needed = f"expires from {int(at.timestamp())}"
        raise InvalidSignature("header:Signature-Input", f"expires={signed.expires}", needed)


def _moment(seconds: int) -> str:
    return f"{seconds} ({datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ})"


def _component(request: Request, name: str) -> str | None:
    """The value of a derived component (RFC 9421, section 2.2)."""
    django_request: Any = request._request
    values: dict[str, Callable[[], str]] = {
        "@method": lambda: str(request.method),
        "@path": lambda: django_request.get_full_path().partition("?")[0],
        "@query": lambda: f"?{django_request.META.get('QUERY_STRING', '')}",
        "@authority": lambda: django_request.get_host().lower(),
        "@scheme": lambda: django_request.scheme,
        "@target-uri": django_request.build_absolute_uri,
    }
    return values[name]() if name in values else None
