"""Keys and certificates that expire soon."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.urls import reverse

from casino.notifications.conditions.condition import Condition, Snapshot
from casino.operations.expiries import (
    api_keys_in_force,
    export_certificate_end,
    studio_keys_in_force,
)
from compliance.exports.bundle.signing import certificate_path

BEFORE: Final = timedelta(days=30)
_MOST: Final = 200


def expiries(look: Snapshot) -> Iterable[Condition]:
    """What ends within thirty days, told to those who can replace it."""
    yield from _api_keys(look)
    yield from _studio_keys(look)
    yield from _export_certificate(look)


def _api_keys(look: Snapshot) -> Iterable[Condition]:
    soon = api_keys_in_force(look.at).filter(expires_at__lte=look.at + BEFORE)
    for key in soon.order_by("expires_at", "pk")[:_MOST]:
        yield Condition(
            f"api_key:{key.handle}",
            f"{key.owner} {key.handle}",
            reverse("api_key", args=[key.pk]),
            look.people_with("api.manage_keys"),
        )


def _studio_keys(look: Snapshot) -> Iterable[Condition]:
    soon = studio_keys_in_force(look.at).filter(valid_until__lte=look.at + BEFORE)
    for key in soon.order_by("valid_until", "pk")[:_MOST]:
        yield Condition(
            f"studio_key:{key.pk}",
            f"{key.studio} {key.key_id[:8]}",
            reverse("studio_key", args=[key.pk]),
            look.people_with("rounds.propose_studio_key"),
        )


def _export_certificate(look: Snapshot) -> Iterable[Condition]:
    ends_at, name = export_certificate_end(), certificate_path(Path(settings.EXPORT_KEY)).name
    if ends_at is not None and ends_at <= look.at + BEFORE:
        people = look.people_with("exports.sign_bundle")
        yield Condition(f"certificate:{ends_at.isoformat()}", name, reverse("exports"), people)
