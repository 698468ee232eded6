"""Listens to Celery for tasks that fail, so that somebody sees them and takes them in hand.

A signal is right here because this is the state of the machinery and no fact about a round: what
happens to rounds and money is recorded by the services themselves. A failure while the database is
away cannot be kept; it stands in the worker's log, and the next one is.
"""

import logging
from collections.abc import Sequence
from typing import Any

from celery import Task
from celery.signals import task_failure, task_success
from django.db import Error, connection
from django.utils import timezone

from payouts.services.failing_tasks import record_task_failure, record_task_success

_log = logging.getLogger(__name__)


def listen() -> None:
    """From now on this process keeps account of the tasks that it runs."""
    task_failure.connect(keep_failure)
    task_success.connect(keep_success)


def keep_failure(
    sender: "Task[Any, Any]",
    exception: BaseException,
    args: Sequence[Any] = (),
    kwargs: dict[str, Any] | None = None,
    **_signal: Any,  # noqa: ANN401  Celery's signature
) -> None:
    """A task raised, ran out of time, or lost its process."""
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
        _log.warning("The failure of %s cannot be kept: %s", name, error)


def keep_success(sender: "Task[Any, Any]", **_signal: Any) -> None:  # noqa: ANN401  Celery's signature
    """A task did what it should."""
    name = str(sender.name)
    try:
        record_task_success(task=name, at=timezone.now())
    except Error as error:
        _log.warning("The success of %s cannot be kept: %s", name, error)
