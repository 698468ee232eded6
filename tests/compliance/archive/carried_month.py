"""A month that was detached long ago, in which one customer lost every bet; for tests."""

from datetime import UTC, date, datetime
from typing import Final

from compliance.storage.partitions import Month
from compliance.trail.actor import Actor
from compliance.trail.key_ranges import month_keys
from compliance.trail.record import Entry, record_entry
from payouts.carried_forward.detached_months import ARCHIVE, DETACHED, WRITTEN
from payouts.ledger.models.account import customer_account_id
from payouts.reconciliation.carried_sums import CarriedSums, carry_forward, left_sha256
from rounds.models import Customer

_MONTH: Final = Month(2019, 11)
_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
_OWNER: Final = Actor("owner")


def carry_an_old_month() -> None:
    """Its sums and the records of archive and detachment. They change no balance and no total."""
    loser = customer_account_id("customer", "cash", Customer.objects.earliest("pk").pk)
    sums = CarriedSums([(loser, 0)], [(date(2019, 11, 20), {})])
    digests = {"list_sha256": "0" * 64, "carried_sha256": sums.sha256}
    subject = f"{ARCHIVE}{_MONTH}"
    files = {"signature_sha256": "0" * 64, "files": 0, "bytes": 0, "rows": 0, "key_id": "0" * 64}
    written = Entry(WRITTEN, subject, {"number": 1, **files, **digests})
    record_entry(written, at=_AT, actor=_OWNER)
    left = left_sha256(month_keys(_MONTH), is_detached=False)
    details = {"archive": f"{_MONTH}.1", "rows": 0, "tables": {}, "left_sha256": left, **digests}
    record = record_entry(Entry(DETACHED, subject, details), at=_AT, actor=_OWNER)
    carry_forward(sums, record)
