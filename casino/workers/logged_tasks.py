"""Receivers of Celery's signals that give log lines the name and id of their task."""

from typing import Any

from celery.signals import task_postrun, task_prerun
from structlog.contextvars import bind_contextvars, clear_contextvars


def listen() -> None:
    """Connects the receivers in this process."""
    task_prerun.connect(begin)
    task_postrun.connect(end)


def begin(sender: Any, task_id: str, **_signal: Any) -> None:
    """Binds the task."""
    clear_contextvars()
    bind_contextvars(task=str(sender.name), task_id=task_id)


def end(**_signal: Any) -> None:
    """Forgets it: what the worker logs next belongs to no task."""
    clear_contextvars()
