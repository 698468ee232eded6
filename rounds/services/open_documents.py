"""Marking of quarantined and conflicting documents as open or resolved."""

from rounds.models import OpenConflict, OpenQuarantine


def set_open(
    documents: type[OpenConflict | OpenQuarantine], document_id: int, *, is_open: bool
) -> None:
    """Reopens or closes a document, in the transaction that records who resolved it and how."""
    if is_open:
        documents.objects.get_or_create(pk=document_id)
    else:
        documents.objects.filter(pk=document_id).delete()
