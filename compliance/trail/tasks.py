"""What Celery runs for the trail: its months made ahead, its batches added to the log."""

from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.trail.appending import append_to_log
from compliance.trail.keys import held, keep_head, witnessed_head
from compliance.trail.partitions import make_all_months, months_around


@shared_task(name="trail.make_months")
def make_months_task() -> None:
    """Makes the months that come next. Doubled or late, it does no harm: there are six ahead."""
    make_all_months(months_around(timezone.now().date()))


@shared_task(name="trail.append_to_log")
def append_to_log_task() -> None:
    """Adds what waits to the log, in the worker that was given the key (LOG_KEY_FILE).

    Doubled or late, it does no harm. Killed after the commit, the head is in the database and the
    key's holder remembers the one before, which the next continues.
    """
    if not settings.LOG_KEY_FILE:
        return
    path = Path(settings.LOG_KEY_FILE)
    with held(path) as key:
        remembered = witnessed_head(path)
        witnessed = None if remembered is None else remembered[0]
        while appended := append_to_log(key, now=timezone.now(), witnessed=witnessed):
            keep_head(path, *appended)
            witnessed = appended[0]
