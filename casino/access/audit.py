"""Audit records of people's access, with the address of the request."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from casino.access.lockout_by_address import address_of
from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries


def record_access(
    request: HttpRequest,
    action: str,
    person: User,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Records an action on a person's access, by ``acting_on``."""
    about = {
        **(details or {}),
        "account": person.get_username(),
        "address": address_of(request),
    }
    with transaction.atomic():
        entry = Entry(action, f"user:{person.pk}", about)
        record_entries([entry], at=timezone.now(), actor=acting_on(person, request))


def act_as_directory(request: HttpRequest, actor: Actor) -> None:
    """Makes a directory the actor of the changes of access that its request brings about."""
    request.directory = actor  # type: ignore[attr-defined]  # set here only


def acting_on(person: User, request: HttpRequest) -> Actor:
    """The directory whose key the request has, else the logged-in user, else the person."""
    directory: Actor | None = getattr(request, "directory", None)
    if directory is not None:
        return directory
    return actor_of(request.user if isinstance(request.user, User) else person)
