"""Celery tasks of impact analyses. The work waits in the database."""

from typing import Final

from celery import shared_task
from django.utils import timezone

from compliance.impact.analyses import finish_analysis, work_on_part
from compliance.impact.models import ImpactAnalysis
from rounds.wake_workers import notify_workers, work_for_a_moment

_ANALYSE: Final = "impact.analyse"
_MOST_WAKE_UPS: Final = 4
"""Settlement needs the other workers."""


@shared_task(name=_ANALYSE)
def analyse_task() -> None:
    """Works on unfinished analyses for a moment, then enqueues the rest."""
    work_for_a_moment(
        _ANALYSE,
        ImpactAnalysis.objects.filter(finished_at=None).order_by("pk"),
        work=lambda analysis: work_on_part(analysis, now=timezone.now),
        finish=lambda analysis: finish_analysis(analysis.pk, now=timezone.now),
    )


def wake_analysis_workers(parts: int) -> bool:
    """Wakes workers for this many parts. False if the broker is unreachable."""
    return all(notify_workers(_ANALYSE) for _ in range(min(parts, _MOST_WAKE_UPS)))
