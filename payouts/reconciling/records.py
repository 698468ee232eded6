"""The audit trail, as ``compliance.trail.verify`` sees it."""

from compliance.trail.batches import record_id
from compliance.trail.stretches import Stretch
from compliance.trail.verify import Fault, FaultKind, verify_stretch
from payouts.reconciling.found import Difference, Found, Kind


def check_records(keys: Stretch, found: Found) -> None:
    """Every record of these batches by its leaf, every batch by its root."""
    read = verify_stretch(keys, report=lambda fault: found.add(_difference(fault)))
    found.looked_at["records"] += read


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
