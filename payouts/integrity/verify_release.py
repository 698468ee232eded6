"""The comparison of what is installed with the signed list of the release.

Each process compares Sabot's own files when it starts (``casino.operations.integrity_at_start``).
Every night a worker of each queue compares everything on its host; a difference fails that task,
which *Today* shows.
"""

from datetime import datetime
from typing import Final

from compliance.release.current_release import Outcome, compare_release
from compliance.release.record_state import record_state, summary_of
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
