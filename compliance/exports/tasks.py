"""Celery tasks of the exports. Requests are stored in the database; tasks process them."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.exports.bundle.signing import MissingSigningKey, read_signing_key
from compliance.exports.models import CertificateRun
from compliance.exports.services.enqueue_export import enqueue_nightly_exports
from compliance.exports.services.issue_dossier import sign_dossiers
from compliance.exports.services.process_exports import process_exports
from compliance.trail.actor import Actor
from rounds.wake_workers import notify_workers

_BUILD: Final = "exports.build"
_ISSUE: Final = "exports.issue_certificates"
_SIGN: Final = "exports.sign_dossiers"


@shared_task(name=_BUILD)
def build_task() -> None:
    """Builds requested bundles. Safe to lose or repeat; one process exports at a time."""
    process_exports(
        now=timezone.now, key=Path(settings.EXPORT_KEY), folder=Path(settings.EXPORTS_FOLDER)
    )


@shared_task(name="exports.nightly")
def nightly_task() -> None:
    """Requests the registers of closed days, and notifies workers."""
    if enqueue_nightly_exports(at=timezone.now(), actor=Actor("nightly export")):
        notify_export_workers()


@shared_task(name=_ISSUE)
def issue_certificates_task() -> None:
    """Issues requested certificates. Safe to lose or repeat.

    Runs in a subprocess, because the analysis loads a compiler.
    """
    if CertificateRun.objects.filter(finished_at=None).exists():
        command = [sys.executable, "-m", "casino", "issue_certificates", "--requested"]
        subprocess.run(command, check=True, cwd=settings.BASE_DIR)  # noqa: S603  our own


def notify_certificate_workers() -> bool:
    """Wakes a worker for requested certificates; returns False if the broker is down."""
    return notify_workers(_ISSUE)


@shared_task(name=_SIGN)
def sign_dossiers_task() -> None:
    """Signs unsigned dossiers. Does nothing without a key."""
    try:
        key = read_signing_key(Path(settings.EXPORT_KEY))
    except MissingSigningKey:
        return
    sign_dossiers(key=key, now=timezone.now)


def notify_dossier_workers() -> bool:
    """Wakes a worker for unsigned dossiers; beat does so as well."""
    return notify_workers(_SIGN)


def notify_export_workers() -> bool:
    """Wakes a worker for requested exports; returns False if the broker is down."""
    return notify_workers(_BUILD)
