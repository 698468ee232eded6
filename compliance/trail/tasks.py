"""Celery tasks of the trail."""

from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.storage.partitions import make_all_months, months_around
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.key_file import locked_key, remember_head, witnessed_head
from compliance.trail.sandbox import is_from_before_reset
from compliance.trail.witnesses.ask_witnesses import ask_witnesses


@shared_task(name="trail.make_months")
def make_months_task() -> None:
    """Creates the partitions of the coming three months. Idempotent."""
    make_all_months(months_around(timezone.now().date()))


@shared_task(name="trail.append_to_log")
def append_to_log_task() -> None:
    """Adds pending batches to the log, in the worker that has the key (LOG_KEY_FILE). Idempotent.

    If it is killed after the commit, the key's holder remembers the previous head, which the next
    one continues.
    """
    if not settings.LOG_KEY_FILE:
        return
    path = Path(settings.LOG_KEY_FILE)
    with locked_key(path) as key:
        remembered = witnessed_head(path)
        witnessed = (
            None if remembered is None or is_from_before_reset(remembered.head) else remembered
        )
        while appended := append_to_log(key, now=timezone.now(), witnessed=witnessed):
            remember_head(path, appended)
            witnessed = appended


@shared_task(name="trail.ask_witnesses")
def ask_witnesses_task() -> None:
    """Asks the witnesses of LOG_POLICY_FILE to cosign the latest head. Safe to lose or repeat."""
    ask_witnesses()
