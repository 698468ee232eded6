"""Messages for the faults that ``verify_trail`` finds."""

from typing import Final

from compliance.trail.batches import record_id
from compliance.trail.log.log_faults import LogFault, LogFaultKind
from compliance.trail.verify_records import Fault, FaultKind

_FAULTS: Final = {
    FaultKind.LEAF: "the record no longer fits its digest",
    FaultKind.RECORDS_MISSING: "records of the batch are gone",
    FaultKind.RECORDS_ADDED: "there are records that the batch does not know of",
    FaultKind.ROOT: "the records of the batch do not give its root",
    FaultKind.BATCH_TIME: "the batch has another time than its records",
    LogFaultKind.KEY: "it is not by the key that is to be trusted",
    LogFaultKind.HEAD_MISSING: "a head is missing",
    LogFaultKind.SIGNATURE: "the head was not signed as it stands",
    LogFaultKind.SIZE: "the head does not have what it says",
    LogFaultKind.ROOT: "the log is not the one that was signed",
    LogFaultKind.LINK: "the batch is not chained to the one before",
    LogFaultKind.PLACE: "the batch does not stand where the one before it ends",
    LogFaultKind.NOT_IN_LOG: "the batch is neither in the log nor waiting for it",
    LogFaultKind.ROW: "the row is not as it is on record",
    LogFaultKind.NODE: "a node of the tree is not what the records give",
}


def fault_message(fault: Fault | LogFault) -> str:
    """Where the fault is, what is wrong, what was found and what was expected."""
    if isinstance(fault, LogFault):
        where = fault.where
    else:
        first, last = fault.positions or (None, None)
        where = f"batch {fault.batch}"
        if first is not None and last is not None:
            where = f"record {record_id(fault.batch, first)}"
            where += f" and {last - first} after it" if last > first else ""
    message = f"{where}: {_FAULTS[fault.kind]}"
    if fault.found is None and fault.expected is None:
        return message
    return f"{message}; found {fault.found or 'nothing'}, needed {fault.expected or 'nothing'}"
