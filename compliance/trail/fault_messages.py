"""Messages for the faults that ``verify_trail`` finds."""

from typing import Final

from compliance.trail.batches import record_id
from compliance.trail.log.log_faults import LogFault, LogFaultKind
from compliance.trail.verify_records import Fault, FaultKind

_FAULTS: Final = {
    FaultKind.LEAF: "the record does not match its digest",
    FaultKind.RECORDS_MISSING: "records of the batch are missing",
    FaultKind.RECORDS_ADDED: "there are records that the batch does not contain",
    FaultKind.ROOT: "the records of the batch do not give its root",
    FaultKind.BATCH_TIME: "the time of the batch differs from that of its records",
    LogFaultKind.KEY: "it was not made with the trusted key",
    LogFaultKind.HEAD_MISSING: "a head is missing",
    LogFaultKind.SIGNATURE: "the signature of the head is invalid",
    LogFaultKind.COSIGNATURE: "the signature of the witness is invalid",
    LogFaultKind.SIZE: "the size of the head does not match its batches or records",
    LogFaultKind.ROOT: "the root of the log does not match the signed root",
    LogFaultKind.LINK: "the batch is not chained to the previous one",
    LogFaultKind.PLACE: "the position of the batch does not follow the previous one",
    LogFaultKind.NOT_IN_LOG: "the batch is neither in the log nor pending",
    LogFaultKind.ROW: "the row does not match its recorded digest",
    LogFaultKind.GAP: "records of the log are lost, and two persons have not declared that",
    LogFaultKind.NODE: "a node of the tree does not match the records",
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
