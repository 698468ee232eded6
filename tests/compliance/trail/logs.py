"""Logs for tests: batches, signed heads, faults."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection

from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.log_faults import LogFault
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import Head, WitnessedHead, raw_key
from compliance.trail.log.stored_heads import head_of
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import AuditBatch, Cosignature, TreeHead
from compliance.trail.record import Entry, record_entries
from compliance.trail.verify_records import Fault
from compliance.trail.witnesses.cosignatures import WitnessKey

NOW: Final = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
_LATER: Final = NOW + timedelta(seconds=5)
CLERK: Final = Actor("Anna Bianchi", 7)
KEY: Final = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
OTHER_KEY: Final = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
_WITNESS: Final = Ed25519PrivateKey.from_private_bytes(b"w" * 32)


def write(records: int, *, at: datetime = NOW) -> UUID:
    """Writes a batch of this many records; returns its id."""
    entries = [Entry("TESTED", f"test:{number}", {"number": number}) for number in range(records)]
    before = set(AuditBatch.objects.values_list("id", flat=True))
    record_entries(entries, at=at, actor=CLERK)
    return AuditBatch.objects.exclude(id__in=before).get().id


def append(
    *, key: Ed25519PrivateKey = KEY, witnessed: WitnessedHead | None = None, at: datetime = _LATER
) -> Head:
    """Logs waiting batches; returns the new head."""
    return append_signed(key=key, witnessed=witnessed, at=at).head


def grown(records: int, *, minute: int = 0) -> Head:
    """The log with more records."""
    write(records, at=NOW.replace(minute=minute))
    return append()


def cosign_last_head() -> None:
    """As a witness signs it that was asked."""
    stored = TreeHead.objects.latest("sequence")
    witness = WitnessKey("witness.example/one", raw_key(_WITNESS.public_key()))
    said = b"cosignature/v1\ntime %d\n" % _LATER.timestamp() + head_of(stored).signed_bytes()
    Cosignature.objects.create(
        head=stored, witness=str(witness), at=_LATER, signature=_WITNESS.sign(said)
    )


def append_signed(
    *, key: Ed25519PrivateKey = KEY, witnessed: WitnessedHead | None = None, at: datetime = _LATER
) -> WitnessedHead:
    """Logs waiting batches; returns the new head as the key's holder keeps it."""
    appended = append_to_log(key, now=at, witnessed=witnessed)
    assert appended is not None
    return appended


def three_heads() -> WitnessedHead:
    """Three heads by two keys over 571 records; returns the last."""
    for size in (1, 300, 7):
        write(size)
    append()
    write(2)
    append()
    rotate_key(KEY, OTHER_KEY, at=NOW, actor=CLERK)
    write(260)
    appended = append_to_log(OTHER_KEY, now=NOW)
    assert appended is not None
    return appended


def faults(
    *, trusted_key: str | None = None, witnessed: WitnessedHead | None = None
) -> list[Fault | LogFault]:
    """The faults of the trail."""
    faults: list[Fault | LogFault] = []
    verify_trail(report=faults.append, trusted_key=trusted_key, witnessed=witnessed)
    return faults


def tamper(statement: str, *values: bytes | int | str | UUID | list[UUID]) -> None:
    """Runs SQL with triggers disabled."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        assert cursor.rowcount > 0
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
