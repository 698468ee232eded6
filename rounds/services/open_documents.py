"""Which refused documents wait for somebody."""

from rounds.models import OpenConflict, OpenQuarantine


def set_open(
    documents: type[OpenConflict | OpenQuarantine], document_id: int, *, is_open: bool
) -> None:
    """Takes a document off those that wait, or puts it back; it stays stored either way.

    Part of the transaction that says who dealt with it and how.
    """
    if is_open:
        documents.objects.get_or_create(pk=document_id)
    else:
        documents.objects.filter(pk=document_id).delete()
