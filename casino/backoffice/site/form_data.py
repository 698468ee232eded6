"""Values of submitted forms."""

from typing import Final, cast

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest

from compliance.trail.actor import Actor
from compliance.trail.people import actor_of

_MOST: Final = 18


def text_of(request: HttpRequest, name: str) -> str:
    """A text of the form. NUL, which PostgreSQL cannot store, is replaced."""
    return request.POST.get(name, "").replace("\0", "\N{REPLACEMENT CHARACTER}")


def number_of(request: HttpRequest, name: str) -> int:
    """A number of the form. Raises BadRequest."""
    text = request.POST.get(name, "")
    if not _is_number(text):
        raise BadRequest(name)
    return int(text)


def numbers_of(request: HttpRequest, name: str) -> frozenset[int]:
    """The values of a field that are whole numbers; others are left out."""
    return frozenset(map(int, filter(_is_number, request.POST.getlist(name))))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST


def digest_of(text: str) -> bytes:
    """The bytes of a hexadecimal digest; empty if invalid."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def actor_in(request: HttpRequest) -> Actor:
    """The logged-in user as an actor of the audit trail."""
    return actor_of(cast("User", request.user))
