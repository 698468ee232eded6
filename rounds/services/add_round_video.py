"""Add the reference of a round's video."""

from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from compliance.trail.steps import create_step, require_person
from rounds.models import Round, RoundVideo
from rounds.models.round_video import DIGEST_BYTES


class NewVideo(NamedTuple):
    """Where the recording is, where the round starts in it, and the digest of the file."""

    reference: str
    start_seconds: int
    sha256: bytes


@transaction.atomic
def add_round_video(*, row: Round, video: NewVideo, at: datetime, actor: Actor) -> RoundVideo:
    """Stores the reference and its audit record; it supersedes the earlier ones.

    Raises PersonRequired; ValueError for a digest that is no SHA-256.
    """
    require_person(actor)
    if len(video.sha256) != DIGEST_BYTES:
        raise ValueError(f"sha256: found {len(video.sha256)} bytes; needed {DIGEST_BYTES}")
    details = {**video._asdict(), "sha256": video.sha256.hex()}
    entry = Entry("ROUND_VIDEO_ADDED", f"round:{row}", details)
    return create_step(RoundVideo, entry, round=row, **video._asdict(), at=at, actor=actor)
