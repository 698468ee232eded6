"""The end of an uploaded feed: every line is read, or the upload is cancelled.

One transaction each, with the lock of the row that a worker holds for each batch: a cancellation
waits for the batch that is being stored, and no batch begins after it.
"""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models.upload import FeedChunk, FeedUpload
from rounds.services.ingest import Tally


class UploadFinished(Exception):
    """Every line of the upload is read; there is nothing to cancel."""


def cancel_upload(*, upload_id: int, at: datetime, actor: Actor) -> FeedUpload:
    """Ends an upload: stored documents stay, the rest is never read. Raises UploadFinished.

    Cancelling again changes nothing.
    """
    with transaction.atomic():
        upload = FeedUpload.objects.select_for_update().get(pk=upload_id)
        if upload.is_cancelled:
            return upload
        if upload.finished_at is not None:
            raise UploadFinished(f"found {upload.source} finished on {upload.finished_at}")
        upload.is_cancelled = True
        finish_upload(upload, action="FEED_CANCELLED", at=at, actor=actor)
        upload.save(update_fields=["is_cancelled", "finished_at"])
    return upload


def finish_upload(upload: FeedUpload, *, action: str, at: datetime, actor: Actor) -> None:
    """Deletes the content and records the figures; the caller has locked the row and saves it."""
    upload.finished_at = at
    FeedChunk.objects.filter(upload=upload).delete()
    figures = {name: getattr(upload, name) for name in ("lines", *Tally._fields)}
    record_entries([Entry(action, f"feed:{upload.source}", figures)], at=at, actor=actor)
