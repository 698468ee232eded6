"""The audit trail, checked by ``compliance.trail.verify_records``."""

from compliance.trail.batches import record_id
from compliance.trail.key_ranges import KeyRange
from compliance.trail.verify_records import Fault, FaultKind, verify_range
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind


def check_records(keys: KeyRange, result: CheckResult) -> None:
    """Checks the leaf of every record and the root of every batch in the range."""
    read = verify_range(keys, report=lambda fault: result.add(_difference(fault)))
    result.looked_at["records"] += read


def _difference(fault: Fault) -> Difference:
    about: dict[str, object] = {"batch": str(fault.batch)}
    if fault.positions is not None:
        first, last = fault.positions
        about["first"] = str(record_id(fault.batch, first))
        if last > first:
            about["records"] = last - first + 1
    name = "at" if fault.kind is FaultKind.BATCH_TIME else "digest"
    return Difference(
        Kind(fault.kind.value),
        about,
        None if fault.found is None else {name: fault.found},
        None if fault.expected is None else {name: fault.expected},
    )
