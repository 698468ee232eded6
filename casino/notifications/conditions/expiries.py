"""Keys and certificates that expire soon."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from django.conf import settings
from django.urls import reverse

from casino.integrations.models import ApiKey
from casino.notifications.conditions.condition import Condition, Snapshot
from compliance.exports.bundle.signing import certificate_path
from rounds.models import StudioKey
from rounds.models.studio_key import StudioKeyStep

BEFORE: Final = timedelta(days=30)
_MOST: Final = 200


def expiries(look: Snapshot) -> Iterable[Condition]:
    """What ends within thirty days, told to those who can replace it."""
    yield from _api_keys(look)
    yield from _studio_keys(look)
    yield from _export_certificate(look)


def _api_keys(look: Snapshot) -> Iterable[Condition]:
    """Keys of customers live for minutes, and programs renew them."""
    soon = ApiKey.objects.filter(
        expires_at__gt=look.at, expires_at__lte=look.at + BEFORE, revocation=None
    ).exclude(kind=ApiKey.Kind.CUSTOMER)
    for key in soon.order_by("expires_at", "pk")[:_MOST]:
        yield Condition(
            f"api_key:{key.handle}",
            f"{key.owner} {key.handle}",
            reverse("api_key", args=[key.pk]),
            look.people_with("api.manage_keys"),
        )


def _studio_keys(look: Snapshot) -> Iterable[Condition]:
    approved = StudioKey.objects.filter(steps__action=StudioKeyStep.Action.APPROVED)
    soon = approved.exclude(steps__action=StudioKeyStep.Action.REVOKED).filter(
        valid_until__gt=look.at, valid_until__lte=look.at + BEFORE
    )
    for key in soon.order_by("valid_until", "pk")[:_MOST]:
        yield Condition(
            f"studio_key:{key.pk}",
            f"{key.studio} {key.key_id[:8]}",
            reverse("studio_key", args=[key.pk]),
            look.people_with("rounds.propose_studio_key"),
        )


def _export_certificate(look: Snapshot) -> Iterable[Condition]:
    """Where the worker's host has the certificate, which unlike the key is no secret."""
    path = certificate_path(Path(settings.EXPORT_KEY))
    try:
        ends_at = x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        return
    if ends_at <= look.at + BEFORE:
        people = look.people_with("exports.sign_bundle")
        yield Condition(f"certificate:{ends_at.isoformat()}", path.name, reverse("exports"), people)
