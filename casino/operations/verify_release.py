"""The comparison of what is installed with the signed list of the release.

Each process compares Sabot's own files when it starts. Every night a worker of each queue compares
everything on its host; a difference fails that task, which *Today* shows.
"""

from datetime import datetime
from threading import Thread
from typing import Any, Final

from celery.signals import worker_init
from django.db import connections

from compliance.release.current_release import Outcome, compare_release
from compliance.release.record_state import record_state, summary_of, verify_at_start
from compliance.trail.actor import Actor
from payouts.integrity.stop_settlement import stop_at_changed_release

NIGHTLY: Final = "casino.verify_release"
"""The nightly task."""


class ReleaseDiffers(Exception):
    """Files of this host differ from those of the release."""


def verify_release(*, at: datetime, actor: Actor) -> None:
    """Compares everything, records what is found, and raises ReleaseDiffers if that differs."""
    state = compare_release(thoroughly=True)
    record_state(state, at=at, actor=actor)
    if state.outcome is Outcome.DIFFERS:
        stop_at_changed_release(state.differences, at=at)
        raise ReleaseDiffers(summary_of(state))


def listen() -> None:
    """Makes workers of this process compare their files when they start."""
    worker_init.connect(_verify_worker)


def _verify_worker(**_signal: Any) -> None:
    verify_at_start(Actor("starting worker"))


def verify_web_process() -> None:
    """Compares the files of a web process, which meanwhile answers, with or without a database."""
    Thread(target=_verify_web, name="verify_release", daemon=True).start()


def _verify_web() -> None:
    try:
        verify_at_start(Actor("starting web process"))
    finally:
        connections.close_all()  # this thread's
