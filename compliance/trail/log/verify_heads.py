"""Verification of the signatures of tree heads, and that every batch is in the log or pending."""

from collections.abc import Sequence
from typing import Final

from django.db import connection

from compliance.trail.log.log_faults import LogFault, LogFaultKind, Report
from compliance.trail.log.log_gaps import DeclaredGap, NotDeclared, declared_gap, heads_of
from compliance.trail.log.log_losses import found_loss
from compliance.trail.log.signed_heads import Head, endorsement_bytes, is_signed, key_id_of
from compliance.trail.log.stored_heads import head_of
from compliance.trail.models import Cosignature, LogGap, LogKey, TreeHead
from compliance.trail.witnesses.cosigned_heads import cosignature_of

_AT_ONCE: Final = 2_000
_WAITING: Final = """
    SELECT coalesce(waiting.batch_id, batch.id), waiting.batch_id IS NOT NULL, batch.id IS NOT NULL,
           place.batch_id IS NOT NULL
      FROM trail_auditbatch AS batch
      FULL JOIN trail_pendingbatch AS waiting ON waiting.batch_id = batch.id
      LEFT JOIN trail_loggedbatch AS place ON place.batch_id = coalesce(waiting.batch_id, batch.id)
     WHERE place.batch_id IS NULL OR waiting.batch_id IS NOT NULL
     ORDER BY 1
"""


def verify_waiting(report: Report) -> int:
    """Verifies that each batch is in the log or pending; returns the number of pending ones."""
    count = 0
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        for batch, waits, exists, is_in_log in cursor.fetchall():
            if waits and exists and not is_in_log:
                count += 1
                continue
            found = "in both" if is_in_log else "in neither" if exists else "no such batch"
            needed = "in the log, or pending"
            report(LogFault(LogFaultKind.NOT_IN_LOG, f"batch {batch}", found, needed))
    return count


def verify_heads(report: Report, trusted_key: str | None) -> None:
    """Verifies the signature of every head by the key in force, and that no head is missing."""
    keys = list(LogKey.objects.order_by("first_head"))
    verify_keys(keys, report, trusted_key)
    gaps = dict(LogGap.objects.values_list("sequence", "after"))
    last = 0
    for stored in TreeHead.objects.order_by("sequence").iterator(_AT_ONCE):
        where = f"head {stored.sequence}"
        needed = gaps.pop(stored.sequence, stored.sequence - 1)
        if last != needed:
            missing = str(stored.sequence), str(last + 1)
            report(LogFault(LogFaultKind.HEAD_MISSING, where, *missing))
        last = stored.sequence
        if fault := head_fault(stored, keys):
            report(fault)
    for sequence, after in gaps.items():
        report(LogFault(LogFaultKind.GAP, heads_of(after, sequence), "no head after it", None))


def head_fault(stored: TreeHead, keys: Sequence[LogKey]) -> LogFault | None:
    """Why the head is not signed by the key in force; None if it is. ``keys`` are all, in order."""
    where = f"head {stored.sequence}"
    in_force = [key for key in keys if key.first_head <= stored.sequence]
    expected = in_force[-1].key_id if in_force else None
    if stored.key_id != expected:
        return LogFault(LogFaultKind.KEY, where, stored.key_id, expected)
    signed = head_of(stored).signed_bytes()
    if not is_signed(bytes(in_force[-1].public_key), bytes(stored.signature), signed):
        return LogFault(LogFaultKind.SIGNATURE, where, "no signature of it", f"key {expected}")
    return None


def verify_cosignatures(report: Report) -> None:
    """Verifies that each stored signature of a witness is one over its head, by the named key."""
    for row in Cosignature.objects.select_related("head").order_by("id").iterator(_AT_ONCE):
        try:
            is_right = cosignature_of(row).is_of(head_of(row.head))
        except ValueError:
            is_right = False
        if not is_right:
            where, needed = f"head {row.head_id}", f"one of {row.witness}"
            report(LogFault(LogFaultKind.COSIGNATURE, where, f"row {row.pk}", needed))


def verify_gaps(report: Report) -> list[DeclaredGap]:
    """Verifies the declaration of each gap, and that nothing else is lost; returns the gaps."""
    declared = []
    for gap in LogGap.objects.order_by("sequence"):
        try:
            declared.append(declared_gap(gap))
        except NotDeclared as error:
            where = heads_of(gap.after, gap.sequence)
            report(LogFault(LogFaultKind.GAP, where, str(error), "a declaration by two persons"))
    loss = found_loss()
    if loss is not None:
        where = heads_of(loss.stored.head.sequence, loss.witnessed.head.sequence)
        found = f"{loss.records} records less than were signed"
        report(LogFault(LogFaultKind.GAP, where, found, "a declaration by two persons"))
    return declared


def verify_keys(keys: list[LogKey], report: Report, trusted_key: str | None) -> None:
    """Verifies that the first key is the trusted one, and each other endorsed by the one before."""
    before: bytes | None = None
    for key in keys:
        public, where = bytes(key.public_key), f"key {key.key_id}"
        if key_id_of(public) != key.key_id:
            report(LogFault(LogFaultKind.KEY, where, key_id_of(public), key.key_id))
        if before is None:
            if trusted_key not in (None, key.key_id):
                report(LogFault(LogFaultKind.KEY, "the first key", key.key_id, trusted_key))
            if key.first_head != 1 or key.endorsement:
                report(LogFault(LogFaultKind.KEY, where, f"from head {key.first_head}", "from 1"))
        else:
            signed = endorsement_bytes(public, first_head=key.first_head)
            if not is_signed(before, bytes(key.endorsement), signed):
                report(LogFault(LogFaultKind.KEY, where, "not endorsed", "by the key before"))
        before = public


def compare_head(witnessed: Head, signature: bytes, report: Report) -> str | None:
    """Compares a head that was stored elsewhere with the database; returns what it cannot compare.

    A head in a declared gap is lost with its records.
    """
    where = f"head {witnessed.sequence}"
    stored = TreeHead.objects.filter(sequence=witnessed.sequence).first()
    if stored is not None:
        if (head_of(stored), bytes(stored.signature)) != (witnessed, signature):
            found = head_of(stored).root.hex(), witnessed.root.hex()
            report(LogFault(LogFaultKind.ROOT, where, *found))
        return None
    gap = LogGap.objects.filter(after__lt=witnessed.sequence, sequence__gt=witnessed.sequence)
    key = LogKey.objects.filter(pk=witnessed.key_id).first()
    is_own = key is not None and is_signed(
        bytes(key.public_key), signature, witnessed.signed_bytes()
    )
    if gap.exists() and is_own:
        return f"{where} cannot be compared: it lies in a declared gap, and its records are lost"
    report(LogFault(LogFaultKind.HEAD_MISSING, where, None, "it was signed and stored elsewhere"))
    return None
