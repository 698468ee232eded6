"""Celery tasks of impact analyses. The work waits in the database."""

import time
from typing import Final

from celery import shared_task
from django.utils import timezone

from compliance.impact.analyses import finish_analysis, work_on_part
from compliance.impact.models import ImpactAnalysis
from rounds.wake_workers import notify_workers

_ANALYSE: Final = "impact.analyse"
_TURN_SECONDS: Final = 1.0
_MOST_WAKE_UPS: Final = 4
"""Settlement needs the other workers."""


@shared_task(name=_ANALYSE)
def analyse_task() -> None:
    """Works on unfinished analyses for a moment, then enqueues the rest."""
    deadline = time.monotonic() + _TURN_SECONDS
    for analysis in ImpactAnalysis.objects.filter(finished_at=None).order_by("pk"):
        while work_on_part(analysis, now=timezone.now):
            if time.monotonic() > deadline:
                notify_workers(_ANALYSE)
                return
        finish_analysis(analysis.pk, now=timezone.now)


def wake_analysis_workers(parts: int) -> bool:
    """Wakes workers for this many parts. False if the broker is unreachable."""
    return all(notify_workers(_ANALYSE) for _ in range(min(parts, _MOST_WAKE_UPS)))
