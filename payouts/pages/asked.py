"""What a form of our own pages sends."""

from typing import Final, cast

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest

from compliance.trail.actor import Actor
from payouts.stuck.people import actor_of

_MOST: Final = 18


def text_of(request: HttpRequest, name: str) -> str:
    """A text of the form; PostgreSQL knows no NUL, so one that has it is another text."""
    return request.POST.get(name, "").replace("\0", "\N{REPLACEMENT CHARACTER}")


def number_of(request: HttpRequest, name: str) -> int:
    """A number that our page wrote into the form; 400 where something else came."""
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST):
        raise BadRequest(name)
    return int(text)


def asker(request: HttpRequest) -> Actor:
    """Whoever sent the form; nobody gets to a page of ours without having logged in."""
    return actor_of(cast("User", request.user))
