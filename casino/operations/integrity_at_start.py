"""The checks of integrity that a process makes when it starts."""

import logging
from threading import Thread
from typing import Any, Final

from celery.signals import worker_init
from django.db import Error, connection, connections
from django.utils import timezone

from compliance.release.record_state import verify_at_start
from compliance.trail.actor import Actor
from payouts.integrity.verify_schema import NIGHTLY, SchemaDiffers, verify_schema
from payouts.stuck_work.failing_tasks import record_task_failure, record_task_success

_log: Final = logging.getLogger(__name__)


def listen() -> None:
    """Makes workers of this process compare the schema and their files before they start."""
    worker_init.connect(refuse_changed_schema)
    worker_init.connect(_verify_worker)


def refuse_changed_schema(**_signal: Any) -> None:
    """Raises SystemExit if the schema differs; an unreachable database does not stop the worker."""
    at = timezone.now()
    try:
        verify_schema(at=at, actor=Actor("starting worker"))
        record_task_success(task=NIGHTLY, at=at)
    except SchemaDiffers as differs:
        error = f"{type(differs).__name__}: {differs}"
        record_task_failure(task=NIGHTLY, error=error, takes_arguments=False, at=at)
        _log.critical("This worker does not start: %s", differs)
        raise SystemExit(1) from differs
    except Error as error:
        _log.warning("The guards of the database cannot be compared: %s", error)
    finally:
        connection.close()  # no process that is forked from this one may share it


def verify_web_process() -> None:
    """Compares the files of a web process, which meanwhile answers, with or without a database."""
    Thread(target=_verify_web, name="verify_release", daemon=True).start()


def _verify_worker(**_signal: Any) -> None:
    verify_at_start(Actor("starting worker"))


def _verify_web() -> None:
    try:
        verify_at_start(Actor("starting web process"))
    finally:
        connections.close_all()  # this thread's
