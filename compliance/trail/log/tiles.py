"""The log as files that never change, by which others follow it (C2SP tlog-tiles).

A tile is 256 neighbouring hashes of a level: leaves, or complete subtrees of 256, of 65,536 and so
on leaves. The records themselves name persons and customers, and are in no tile.
"""

from dataclasses import dataclass
from typing import Final

from compliance.trail.log.checkpoints import checkpoint_of
from compliance.trail.log.merkle_tree import STORED_LEVELS
from compliance.trail.log.stored_heads import signed_head_of
from compliance.trail.log.stored_tree import NotInLog, StoredTree
from compliance.trail.models import TreeHead
from compliance.trail.witnesses.cosigned_heads import last_cosigned_head

WIDTH: Final = 1 << STORED_LEVELS
"""The number of hashes in a full tile."""


@dataclass(frozen=True)
class Tile:
    """A place in the log: the tile of this index on a level, or its first ``width`` hashes."""

    level: int
    index: int
    width: int = WIDTH


def stored_checkpoint(stored: TreeHead) -> str:
    """A stored head as a signed note. Raises NotInLog if it was signed without an origin."""
    if not stored.origin:
        raise NotInLog(f"found head {stored.sequence} without an origin; needed a later one")
    head, signature, _peaks = signed_head_of(stored)
    return checkpoint_of(head, signature, public_key=bytes(stored.key.public_key))


def last_checkpoint() -> str:
    """The latest head as a signed note, with the signatures of witnesses.

    That is the latest one that a quorum has cosigned, where the policy needs one. Raises NotInLog
    if there is none, or none with an origin.
    """
    last = last_cosigned_head()
    if last is None:
        raise NotInLog("found no head that is signed and cosigned; needed one")
    return stored_checkpoint(last.head) + "".join(last.lines)


def hashes_of(tile: Tile) -> bytes:
    """The hashes of a tile, 32 bytes each.

    Raises NotInLog if the log is not as long, or LostInGap if leaves of it were lost.
    """
    span = range(tile.index * WIDTH, tile.index * WIDTH + tile.width)
    leaves = span.stop << (STORED_LEVELS * tile.level)
    head = TreeHead.objects.order_by("-sequence").first()
    if head is None or not head.origin or head.size < leaves:
        raise NotInLog(f"found no {tile} in the log")
    return b"".join(StoredTree().neighbours(STORED_LEVELS * tile.level, span))
