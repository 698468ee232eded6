"""What expires: keys of programs and studios, and the certificate of the exports."""

from datetime import datetime
from pathlib import Path

from cryptography import x509
from django.conf import settings
from django.db.models import Min, QuerySet

from casino.integrations.models import ApiKey
from compliance.exports.bundle.signing import certificate_path
from rounds.models import StudioKey
from rounds.models.studio_key import StudioKeyStep


def api_keys_in_force(at: datetime) -> QuerySet[ApiKey]:
    """The keys of programs that expire. Those of customers live for minutes."""
    keys = ApiKey.objects.filter(expires_at__gt=at, revocation=None)
    return keys.exclude(kind=ApiKey.Kind.CUSTOMER)


def studio_keys_in_force(at: datetime) -> QuerySet[StudioKey]:
    """The keys of studios that are approved, not revoked and not expired."""
    approved = StudioKey.objects.filter(steps__action=StudioKeyStep.Action.APPROVED)
    not_revoked = approved.exclude(steps__action=StudioKeyStep.Action.REVOKED)
    return not_revoked.filter(valid_until__gt=at)


def export_certificate_end() -> datetime | None:
    """Where this host has the certificate, which unlike the key is no secret; else None."""
    path = certificate_path(Path(settings.EXPORT_KEY))
    try:
        return x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        return None


def next_expiries(at: datetime) -> dict[str, datetime]:
    """The next expiry of each kind of which there is one."""
    ends = {
        "api_key": api_keys_in_force(at).aggregate(next=Min("expires_at"))["next"],
        "studio_key": studio_keys_in_force(at).aggregate(next=Min("valid_until"))["next"],
        "export_certificate": export_certificate_end(),
    }
    return {kind: end for kind, end in ends.items() if end is not None}
