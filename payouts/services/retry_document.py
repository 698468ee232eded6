"""Trying to take a quarantined document again, byte for byte as it came."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.models import StuckWorkStep, WorkKind
from payouts.services.stuck_steps import StuckWorkClosed, add_step, hold_work, record_step
from payouts.stuck.work import WorkId
from rounds.documents import Document, read_documents
from rounds.models import QuarantinedDocument
from rounds.services.ingest import ingest_documents
from rounds.services.sorting import sort_documents


def retry_document(*, document_id: int, seen: int, at: datetime, actor: Actor) -> bool:
    """Ingests the document again, for what it lacked may be there now; says whether it was taken.

    Taken means that it is stored, was stored already, or stands beside a stored round as a
    conflict; it is dealt with then. Otherwise the new refusal is kept in the step. Whoever calls
    it rings for the settlement afterwards. ``seen`` is the sequence of the latest step that the
    actor knows. Raises StuckWorkClosed or StuckWorkMoved.
    """
    with transaction.atomic():
        held = hold_work(WorkId(WorkKind.DOCUMENT, document_id), seen=seen)
        if held.is_closed:
            raise StuckWorkClosed
        kept = QuarantinedDocument.objects.get(pk=document_id)
        document = _read(kept)
        refused = _refusal(document)
        if not refused:
            tally = ingest_documents([document], source=kept.source, at=at, actor=actor)
            refused = "it cannot be stored" if tally.quarantined else ""
        done = StuckWorkStep.Action.RETRIED if refused else StuckWorkStep.Action.TAKEN
        add_step(held, done, owner=held.owner, note=refused, at=at, actor=actor)
        details = {"taken": not refused, "refused": refused}
        record_step("DOCUMENT_RETRIED", held, details, at=at, actor=actor)
    return not refused


def _read(kept: QuarantinedDocument) -> Document:
    [[document]] = read_documents([bytes(kept.content)])
    return document._replace(line=kept.line)


def _refusal(document: Document) -> str:
    """Why it would be refused; empty when it would be taken."""
    refusals = sort_documents([document]).refusals
    return str(refusals[0].reason) if refusals else ""
