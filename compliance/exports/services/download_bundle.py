"""Giving a bundle's file away, once two persons have signed it; who took it is on record."""

from datetime import datetime
from pathlib import Path

from django.db import transaction

from compliance.exports.bundle.files import opened, path_of
from compliance.exports.models import Bundle
from compliance.exports.standing import GIVEN_AWAY, Stage, stage_of, steps_of
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries


class BundleKeptBack(Exception):
    """A bundle whose file does not leave."""


class NotApproved(BundleKeptBack):
    """Two persons have not signed it, or it was set aside."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(f"found {stage.value}; needed {' or '.join(GIVEN_AWAY)}")
        self.stage = stage


class FileLost(BundleKeptBack):
    """The file is away, or is not the one that was made."""

    def __init__(self, state: str) -> None:
        super().__init__(f"found a file that is {state}; needed the one that was made")
        self.state = state


def file_to_give(bundle: Bundle) -> Path:
    """Where the file lies that may leave. Raises NotApproved or FileLost."""
    stage = stage_of(steps_of([bundle]).get(bundle.number, []))
    if stage not in GIVEN_AWAY:
        raise NotApproved(stage)
    state = opened(bundle).state
    if state != "fits":
        raise FileLost(state)
    return path_of(bundle)


def record_download(bundle: Bundle, *, file: str, at: datetime, actor: Actor) -> None:
    """Records who takes the whole file, or which of the files in it."""
    told = Entry("BUNDLE_DOWNLOADED", f"bundle:{bundle.number}", {"file": file})
    with transaction.atomic():
        record_entries([told], at=at, actor=actor)
