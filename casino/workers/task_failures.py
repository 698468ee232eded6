"""Receivers of Celery's signals that store failing tasks, for the page *Today*.

Signals suffice because a failing task is operational state; services record what happens to rounds
and money. A failure while the database is unreachable is only in the worker's log.
"""

import logging
from collections.abc import Sequence
from typing import Any

from celery import Task
from celery.signals import task_failure, task_success
from django.db import Error, connection
from django.utils import timezone

from payouts.stuck_work.failing_tasks import record_task_failure, record_task_success

_log = logging.getLogger(__name__)


def listen() -> None:
    """Connects the receivers in this process."""
    task_failure.connect(record_failure)
    task_success.connect(record_success)


def record_failure(
    sender: "Task[Any, Any]",
    exception: BaseException,
    args: Sequence[Any] = (),
    kwargs: dict[str, Any] | None = None,
    **_signal: Any,
) -> None:
    """Stores that a task raised, timed out, or lost its process."""
    name = str(sender.name)
    try:
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()  # the task may have failed by losing it
        record_task_failure(
            task=name,
            error=f"{type(exception).__name__}: {exception}",
            takes_arguments=bool(args or kwargs),
            at=timezone.now(),
        )
    except Error as error:
        _log.warning("The failure of %s cannot be stored: %s", name, error)


def record_success(sender: "Task[Any, Any]", **_signal: Any) -> None:
    """Stores that a task succeeded."""
    name = str(sender.name)
    try:
        record_task_success(task=name, at=timezone.now())
    except Error as error:
        _log.warning("The success of %s cannot be stored: %s", name, error)
