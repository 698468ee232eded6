"""Celery tasks of the archive. The work waits in the database."""

from pathlib import Path
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.archive.models import RejudgeRun
from compliance.exports.bundle.signing import certificate_digests
from rounds.wake_workers import notify_workers, work_for_a_moment

_REJUDGE: Final = "archive.rejudge"
_MOST_WAKE_UPS: Final = 4
"""Settlement needs the other workers."""


@shared_task(name=_REJUDGE)
def rejudge_task() -> None:
    """Works on unfinished runs for a moment, then enqueues the rest.

    A host without the archive, or without the operator's certificate, leaves the parts to others.
    """
    folder = Path(settings.ARCHIVE_FOLDER)
    keys = certificate_digests(Path(settings.EXPORT_KEY))
    runs = RejudgeRun.objects.filter(finished_at=None).order_by("pk")
    if not keys or not folder.is_dir() or not runs.exists():
        return
    from compliance.archive.rejudge import (  # noqa: PLC0415  DuckDB takes 28 MB per process
        finish_rejudging,
        work_on_part,
    )

    work_for_a_moment(
        _REJUDGE,
        runs,
        work=lambda run: work_on_part(run, folder=folder, keys=keys, now=timezone.now),
        finish=lambda run: finish_rejudging(run.pk, now=timezone.now),
    )


def wake_rejudging_workers(parts: int) -> bool:
    """Wakes workers for this many parts. False if the broker is unreachable."""
    return all(notify_workers(_REJUDGE) for _ in range(min(parts, _MOST_WAKE_UPS)))
