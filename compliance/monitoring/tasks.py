"""Celery tasks of the monitor. The database determines what to count."""

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.count_hours import count_earlier_hours, count_recent_hours
from compliance.monitoring.services.watch_tables import watch_nightly
from compliance.trail.actor import Actor
from rounds.gaming_day import ROME

_NIGHT: Final = timedelta(hours=12)


@shared_task(name="monitoring.nightly")
def nightly_task() -> None:
    """Counts changed days and evaluates all watches. Idempotent; safe to lose or repeat."""
    count_days()
    count_earlier_hours()
    now = timezone.now()
    yesterday = now.astimezone(ROME).date() - timedelta(days=1)
    watch_nightly(last_day=yesterday, at=now, actor=Actor("table monitor"), every=_NIGHT)


@shared_task(name="monitoring.count_dealing")
def count_dealing_task() -> None:
    """Counts the changed hours of the last days. Idempotent; safe to lose or repeat."""
    count_recent_hours(at=timezone.now())
