"""What may be wrong with the log."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from compliance.trail.verify import Fault


class LogFaultKind(StrEnum):
    """What may be wrong with the log."""

    KEY = "key"
    """A key is not the one that was trusted, or not put in force by the one before."""
    HEAD_MISSING = "head_missing"
    """Heads are not numbered without a gap, or one that was kept elsewhere is not there."""
    SIGNATURE = "signature"
    """A head was not signed by the key in force, or not as it stands."""
    SIZE = "size"
    """A head does not have as many batches or records as it says."""
    ROOT = "root"
    """The records in the log do not give the root that was signed."""
    LINK = "link"
    """A batch is not chained to the one before it."""
    PLACE = "place"
    """A batch does not stand where the one before it ends, or is not there at all."""
    NOT_IN_LOG = "not_in_log"
    """A batch is not in the log and does not wait for it, or does both."""
    NODE = "node"
    """A stored node of the tree is not what the leaves give, or is missing."""
    ROW = "row"
    """A row of another table is not as it is on record, is not on record, or is gone."""


class LogFault(NamedTuple):
    """One thing that is wrong with the log: where, and what was found for what was expected."""

    kind: LogFaultKind
    where: str
    found: str | None
    expected: str | None


Report = Callable[[Fault | LogFault], None]
