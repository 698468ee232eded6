"""Ingesting a quarantined document again, byte for byte as it arrived."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.stuck_work.locked_work import add_step, lock_unresolved
from payouts.stuck_work.models import StuckWorkStep, WorkKind
from payouts.stuck_work.work import WorkId
from rounds.arrival import DEFAULT_LIMITS, Arrival, ArrivalLimits
from rounds.documents import Document, read_documents
from rounds.models import QuarantinedDocument
from rounds.models.upload import FeedUpload
from rounds.services.ingest import ingest_documents
from rounds.services.sort_documents import sort_documents


def retry_document(
    *,
    document_id: int,
    seen: int,
    at: datetime,
    actor: Actor,
    limits: ArrivalLimits = DEFAULT_LIMITS,
) -> bool:
    """Ingests the document again and returns whether it was accepted.

    It is accepted if it is stored, was stored before, or is stored as a conflict; then it is
    resolved. Otherwise the step stores the new reason. It arrives at ``at``; an uploaded document
    is held as an unsigned source. The caller wakes the settlement workers. ``seen`` is the sequence
    of the latest step that the actor knows. Raises StuckWorkResolved or StaleState.
    """
    with transaction.atomic():
        locked = lock_unresolved(WorkId(WorkKind.DOCUMENT, document_id), seen=seen)
        quarantined = QuarantinedDocument.objects.get(pk=document_id)
        document = _read(quarantined)
        arrival = Arrival(at, limits, is_by_hand=_is_upload(quarantined.source))
        error = _error(document, arrival)
        if not error:
            tally = ingest_documents(
                [document], source=quarantined.source, at=at, actor=actor, arrival=arrival
            )
            error = "it cannot be stored" if tally.quarantined else ""
        action = StuckWorkStep.Action.RETRIED if error else StuckWorkStep.Action.TAKEN
        record = ("DOCUMENT_RETRIED", {"taken": not error, "refused": error})
        add_step(locked, action, record, owner=locked.owner, note=error, at=at, actor=actor)
    return not error


def _read(quarantined: QuarantinedDocument) -> Document:
    [[document]] = read_documents([bytes(quarantined.content)])
    return document._replace(line=quarantined.line)


def _is_upload(source: str) -> bool:
    return FeedUpload.objects.filter(source=source, delivery=None).exists()


def _error(document: Document, arrival: Arrival) -> str:
    """Why the document would be refused; empty if it would be accepted."""
    rejected = sort_documents([document], arrival=arrival).rejected
    return str(rejected[0].error) if rejected else ""
