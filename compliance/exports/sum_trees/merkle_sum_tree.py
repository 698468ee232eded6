"""A Merkle sum tree: each node commits to its digest and to the sums of the leaves below it.

A node is 64 octets: a SHA-256, then four sums in cents, each of eight octets, big endian, from 0
to 2^63 - 1. A tree has 2^n leaves. ``docs/regulator/daily-totals.md`` describes it, and
``verify_bundle.py`` computes the same without this module.

Both children's sums are hashed, not only their sum: otherwise one digest would fit several trees,
and a share could be hidden behind a larger neighbour (Hu, Zhang and Guo, ePrint 2018/1139).
"""

import struct
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

NODE: Final = struct.Struct(">32s4q")
"""Packing raises ``struct.error`` for a sum that exceeds 2^63 - 1."""
BRANCH_LEAVES: Final = 1024
"""Leaves of a branch: paths are computed from one branch and the digests of all."""
_DIGEST: Final = 32
_LEAF, _INNER = b"\x00", b"\x01"


class Sums(NamedTuple):
    """What a day's tax base counts, in cents. None is negative.

    base = stakes - winnings - reversed stakes + reversed winnings
    """

    stakes_cents: int
    """Cash stakes of bets that the day settled and did not void, also by corrections."""
    winnings_cents: int
    """Paid in cash to these bets, stakes included."""
    reversed_stakes_cents: int
    """Stakes that earlier days counted, of bets that the day settled again."""
    reversed_winnings_cents: int
    """Winnings that earlier days counted, of bets that the day settled again."""


class Node(NamedTuple):
    """A node, unpacked."""

    digest: bytes
    sums: Sums


def node_of(packed: bytes) -> Node:
    """A packed node."""
    digest, *sums = NODE.unpack(packed)
    return Node(digest, Sums(*sums))


def leaf_node(record: bytes) -> bytes:
    """The leaf of a record: a commitment of 32 octets, and four sums."""
    return sha256(_LEAF + record).digest() + record[_DIGEST:]


def parent(left: bytes, right: bytes) -> bytes:
    """The node above two others. Raises ``struct.error`` if a sum is too large."""
    (_left, *first), (_right, *second) = NODE.unpack(left), NODE.unpack(right)
    digest = sha256(_INNER + left + right).digest()
    return NODE.pack(digest, *map(int.__add__, first, second))


def levels(nodes: list[bytes]) -> Iterator[list[bytes]]:
    """These nodes, 2^n of them, then each level above them, to the root."""
    yield nodes
    while len(nodes) > 1:
        nodes = [parent(*nodes[place : place + 2]) for place in range(0, len(nodes), 2)]
        yield nodes


def branches(records: list[bytes]) -> list[bytes]:
    """The roots of the branches of these leaves, in order."""
    return [
        list(levels(list(map(leaf_node, records[first : first + BRANCH_LEAVES]))))[-1][0]
        for first in range(0, len(records), BRANCH_LEAVES)
    ]


def path_in(nodes: list[bytes], place: int) -> tuple[list[bytes], bytes]:
    """The siblings of a node, from its own level upwards, and the root."""
    path: list[bytes] = []
    for level in levels(nodes):
        if len(level) == 1:
            return path, level[0]
        path.append(level[place ^ 1])
        place >>= 1
    raise ValueError("found no node; needed one or more")
