"""What Celery runs for exports. Tasks are bells: what was asked for waits in the database."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.exports.bundle.signing import NoSigningKey, read_signing_key
from compliance.exports.models import CertificateRun
from compliance.exports.services.ask_export import ask_nightly
from compliance.exports.services.issue_dossier import sign_dossiers
from compliance.exports.services.run_exports import work_on_exports
from compliance.trail.actor import Actor
from rounds.tasks import ring_for

_BUILD: Final = "exports.build"
_ISSUE: Final = "exports.issue_certificates"
_SIGN: Final = "exports.sign_dossiers"


@shared_task(name=_BUILD)
def build_task() -> None:
    """Makes the bundles that wait. May be lost, late, doubled: one process exports at a time."""
    work_on_exports(
        now=timezone.now, key=Path(settings.EXPORT_KEY), folder=Path(settings.EXPORTS_FOLDER)
    )


@shared_task(name="exports.nightly")
def nightly_task() -> None:
    """Asks for the registers of the days that were closed, and rings for them."""
    if ask_nightly(at=timezone.now(), actor=Actor("nightly export")):
        ring_for_exports()


@shared_task(name=_ISSUE)
def issue_certificates_task() -> None:
    """Has the certificates issued that were asked for. May be lost, late, doubled.

    By a process of its own, which ends: the analysis brings a compiler that no worker should carry.
    """
    if CertificateRun.objects.filter(finished_at=None).exists():
        manage = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py")]
        subprocess.run([*manage, "issue_certificates", "--asked"], check=True)  # noqa: S603  our own


def ring_for_certificates() -> bool:
    """Calls a worker to the certificates that wait; False when the broker is away."""
    return ring_for(_ISSUE)


@shared_task(name=_SIGN)
def sign_dossiers_task() -> None:
    """Signs the dossiers that wait for it. Without a key they wait on, and their page says so."""
    try:
        key = read_signing_key(Path(settings.EXPORT_KEY))
    except NoSigningKey:
        return
    sign_dossiers(key=key, now=timezone.now)


def ring_for_dossiers() -> bool:
    """Calls a worker to the dossiers that wait; beat calls, too."""
    return ring_for(_SIGN)


def ring_for_exports() -> bool:
    """Calls a worker to the exports that wait; False when the broker is away, and they wait on."""
    return ring_for(_BUILD)
