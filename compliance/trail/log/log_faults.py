"""Faults of the log."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from compliance.trail.verify_records import Fault


class LogFaultKind(StrEnum):
    """What is wrong with the log."""

    KEY = "key"
    """A key is not the trusted one, or not endorsed by the one before."""
    HEAD_MISSING = "head_missing"
    """The numbers of heads have a gap, or a witnessed head is missing."""
    SIGNATURE = "signature"
    """A head's signature by the key in force is invalid."""
    COSIGNATURE = "cosignature"
    """A signature of a witness is not one of that head."""
    SIZE = "size"
    """A head has another number of batches or records than it says."""
    ROOT = "root"
    """The records in the log do not give the root that was signed."""
    LINK = "link"
    """A batch is not chained to the one before it."""
    PLACE = "place"
    """A batch does not begin where the one before it ends, or is missing."""
    NOT_IN_LOG = "not_in_log"
    """A batch is neither in the log nor pending, or both."""
    NODE = "node"
    """A stored node of the tree does not match the leaves, or is missing."""
    GAP = "gap"
    """Lost records that two persons have not declared, or not so."""
    ROW = "row"
    """An attested row differs from its recorded digest, has none, or was deleted."""


class LogFault(NamedTuple):
    """A fault of the log: what is wrong, where, what was found and what was expected."""

    kind: LogFaultKind
    where: str
    found: str | None
    expected: str | None


Report = Callable[[Fault | LogFault], None]
