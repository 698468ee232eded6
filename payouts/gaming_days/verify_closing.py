"""Whether a day is closed: rows alone do not close it."""

from compliance.signatures.models import EarlierDecision
from compliance.signatures.signature_verifier import UnsignedDecision
from compliance.signatures.signed_text import text_of_record
from compliance.signatures.verify_rows import require_signed, signed_row
from compliance.trail.models import AuditRecord
from compliance.trail.queries import records_of
from payouts.gaming_days.exceptions import UnsignedClosing
from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.control_totals import digest_of
from rounds.models import ClosedDay


def require_last_closing() -> None:
    """Raises UnsignedClosing if rows alone say that the last closed day is closed.

    Each closing is verified before the next, so that the days before it need not be.
    """
    last = ClosedDay.objects.order_by("-day").first()
    if last is not None:
        closing = DayClosing.objects.filter(day=last.day).first()
        if closing is None:
            raise UnsignedClosing(last.day, "nobody", "found no totals of it")
        record_of_closing(closing)


def record_of_closing(closing: DayClosing) -> AuditRecord:
    """The audit record that closes the day: of the nightly job, or signed by the person.

    Raises UnsignedClosing.
    """
    if (record := record_without_signature(closing)) is not None:
        return record
    row = signed_row(closing)
    try:
        require_signed(row)
    except UnsignedDecision as error:
        raise UnsignedClosing(closing.day, closing.actor, str(error)) from error
    records = records_of(row.entry.subject).filter(at=row.at)
    return next(record for record in records if text_of_record(record) == row.text)


def record_without_signature(closing: DayClosing) -> AuditRecord | None:
    """The record that closes the day although nobody signed it.

    That of the nightly job, which web hosts cannot write, or from before signatures.
    """
    digest = digest_of(closing.totals)
    records = records_of(f"day:{closing.day}").filter(
        action="DAY_CLOSED",
        at=closing.closed_at,
        actor=closing.actor,
        actor_user_id=closing.actor_user_id,
    )
    for record in records:
        is_earlier = EarlierDecision.objects.filter(pk=record.pk).exists()
        states_totals = record.details.get("digest") == digest.hex() == bytes(closing.digest).hex()
        if states_totals and (record.actor_user_id is None or is_earlier):
            return record
    return None
