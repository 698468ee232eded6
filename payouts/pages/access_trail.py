"""What is done about people's access, on record with the address that it was done from."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from compliance.trail.record import Entry, record_entries
from payouts.pages.lockout import address_of
from payouts.stuck.people import actor_of


def record_access(
    request: HttpRequest,
    action: str,
    person: User,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Records what was done about a person's access: by whoever is logged in, else by themself."""
    about = {
        **(details or {}),
        "account": person.get_username(),
        "address": address_of(request),
    }
    doer = request.user if isinstance(request.user, User) else person
    with transaction.atomic():
        entry = Entry(action, f"user:{person.pk}", about)
        record_entries([entry], at=timezone.now(), actor=actor_of(doer))
