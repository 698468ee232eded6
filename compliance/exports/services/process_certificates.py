"""Issues requested certificates, one at a time.

A killed process leaves its run unfinished; it is processed again.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet

from compliance.exports.bundle.signing import MissingSigningKey, read_signing_key
from compliance.exports.models import CertificateRun
from compliance.exports.services.issue_certificate import issue_certificate
from compliance.trail.actor import Actor
from rounds.rules.catalogue import rule_set


def process_certificates(*, now: Callable[[], datetime], key: Path) -> int:
    """Issues requested certificates, oldest first; returns the number of finished runs.

    Runs locked by another process are skipped. Without a key, the runs stay unfinished and store
    the error.
    """
    finished = 0
    for run_id in list(_waiting().order_by("pk").values_list("pk", flat=True)):
        try:
            finished += _issue(run_id, now=now, key=key)
        except MissingSigningKey as error:
            _waiting().filter(pk=run_id).update(last_error=str(error))
    return finished


def _issue(run_id: int, *, now: Callable[[], datetime], key: Path) -> bool:
    with transaction.atomic():
        run = _waiting().select_for_update(skip_locked=True).filter(pk=run_id).first()
        if run is None:
            return False
        run.certificate, run.is_new = issue_certificate(
            rule_set(run.rules),
            key=read_signing_key(key),
            at=now(),
            actor=Actor(run.actor, run.actor_user_id),
        )
        run.finished_at, run.last_error = now(), ""
        run.save()
        return True


def _waiting() -> QuerySet[CertificateRun]:
    return CertificateRun.objects.filter(finished_at=None)
