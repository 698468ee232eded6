"""Audit records of people's access, with the address of the request."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from casino.access.lockout_by_address import address_of
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries


def record_access(
    request: HttpRequest,
    action: str,
    person: User,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Records an action on a person's access. The actor is the logged-in user, else the person."""
    about = {
        **(details or {}),
        "account": person.get_username(),
        "address": address_of(request),
    }
    user = request.user if isinstance(request.user, User) else person
    with transaction.atomic():
        entry = Entry(action, f"user:{person.pk}", about)
        record_entries([entry], at=timezone.now(), actor=actor_of(user))
