"""Downloads of a bundle's file, after two signatures; each download is recorded."""

from datetime import datetime
from pathlib import Path

from django.db import transaction

from compliance.exports.bundle.stored_file import inspect_file, path_of
from compliance.exports.bundle_status import DOWNLOADABLE, Stage, stage_of, steps_of
from compliance.exports.models import Bundle
from compliance.exports.services.require_two_signatures import (
    UnsignedBundle,
    require_two_signatures,
)
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries


class BundleNotDownloadable(Exception):
    """The file cannot be downloaded."""


class NotApproved(BundleNotDownloadable):
    """The bundle lacks two signatures, or was set aside."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(f"found {stage.value}; needed {' or '.join(DOWNLOADABLE)}")
        self.stage = stage


class InvalidSignatures(BundleNotDownloadable):
    """Rows say that two persons signed the bundle, but they did not."""


class InvalidBundleFile(BundleNotDownloadable):
    """The file is missing or damaged."""

    def __init__(self, state: str) -> None:
        super().__init__(f"found a file that is {state}; needed the one that was made")
        self.state = state


def downloadable_file(bundle: Bundle) -> Path:
    """The path of the file to download.

    Raises NotApproved, InvalidSignatures or InvalidBundleFile.
    """
    stage = stage_of(steps_of([bundle]).get(bundle.number, []))
    if stage not in DOWNLOADABLE:
        raise NotApproved(stage)
    try:
        require_two_signatures(bundle.number)
    except UnsignedBundle as error:
        raise InvalidSignatures(str(error)) from error
    state = inspect_file(bundle).state
    if state != "fits":
        raise InvalidBundleFile(state)
    return path_of(bundle)


def record_download(bundle: Bundle, *, file: str, at: datetime, actor: Actor) -> None:
    """Records the download of the bundle or of one of its files."""
    entry = Entry("BUNDLE_DOWNLOADED", f"bundle:{bundle.number}", {"file": file})
    with transaction.atomic():
        record_entries([entry], at=at, actor=actor)
