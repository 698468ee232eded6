"""The Merkle tree of RFC 9162, section 2.1: roots, inclusion proofs and consistency proofs.

Pure: a tree is given by its leaf hashes, or by a function that returns the hashes of its complete
subtrees. A verifier of proofs needs no other file of Sabot.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Self

_NODE_PREFIX: Final = b"\x01"
_EMPTY_ROOT: Final = hashlib.sha256().digest()

Subtree = Callable[[int, int], bytes]
"""Returns the hash of a complete subtree, given its level (0: leaves) and index from the left."""
Keep = Callable[[int, int, bytes], None]
"""Receives level, index and hash of subtrees that became complete."""
HASH_BYTES: Final = 32
STORED_LEVELS: Final = 8
"""The distance of levels that are stored; a proof then needs few hashes of each."""


def node_of(left: bytes, right: bytes) -> bytes:
    """The 32 bytes of the hash over two subtrees."""
    return hashlib.sha256(_NODE_PREFIX + left + right).digest()


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The 32 bytes of the Merkle tree hash over these leaf hashes."""
    peaks = Peaks()
    peaks.extend(b"".join(leaves))
    return peaks.root()


class Peaks:
    """The state of a tree that suffices to append leaves: at most 64 hashes.

    Two complete subtrees of one size are joined at once, like the carry of a binary counter; the
    others are joined from the right by ``root``.
    """

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        """The number of leaves."""
        self._hashes = list(hashes)

    @classmethod
    def of(cls, size: int, subtree: Subtree) -> Self:
        """The peaks of the tree over the first ``size`` leaves."""
        return cls(size, _peaks(0, size, subtree))

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes of the complete subtrees, the largest first: one for each bit of ``size``."""
        return tuple(self._hashes)

    def append(self, leaf: bytes) -> None:
        """Appends a leaf hash."""
        self._push(leaf, 0, None)

    def extend(self, leaves: bytes, *, keep: Keep | None = None) -> None:
        """Appends concatenated leaf hashes of 32 bytes each.

        ``keep`` receives the subtrees of every eighth level that became complete.
        """
        place = 0
        while place < len(leaves):
            level = self._next_level((len(leaves) - place) // HASH_BYTES)
            end = place + (HASH_BYTES << level)
            self._push(_block_root(leaves[place:end]), level, keep)
            place = end

    def push(self, node: bytes, level: int) -> None:
        """Appends the hash of a complete subtree, whose index follows from the size so far."""
        if self.size & ((1 << level) - 1):
            raise ValueError(f"found {self.size} leaves; needed a multiple of {1 << level}")
        self._push(node, level, None)

    def _next_level(self, count: int) -> int:
        """The level of the largest subtree that so many leaves make complete from here."""
        room = (self.size & -self.size).bit_length() - 1 if self.size else STORED_LEVELS
        return min(room, count.bit_length() - 1, STORED_LEVELS)

    def _push(self, node: bytes, level: int, keep: Keep | None) -> None:
        """Appends a complete subtree of this level; all so far are of this level or larger."""
        carried = self.size >> level
        self.size += 1 << level
        while True:
            if keep and level and not level % STORED_LEVELS:
                keep(level, carried, node)
            if not carried & 1:
                break
            node = node_of(self._hashes.pop(), node)
            carried >>= 1
            level += 1
        self._hashes.append(node)

    def root(self) -> bytes:
        """The Merkle tree hash over all leaves; of an empty tree, the hash of no bytes."""
        return _joined(self._hashes)


def complete_subtrees(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Level and index of the largest complete subtrees over these leaves, from the left."""
    while start < end:
        level = (end - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        yield level, start >> level
        start += 1 << level


def places_of_peaks(size: int) -> list[tuple[int, int]]:
    """Level and index of each of the ``Peaks.hashes`` of a tree of this size."""
    return list(_places(0, size))


def contradict(old: Peaks, new: Peaks) -> bool:
    """Whether the larger tree cannot begin with the smaller one: a common subtree differs.

    Without the leaves in between, nothing more can be told.
    """
    places = zip(places_of_peaks(old.size), places_of_peaks(new.size), strict=False)
    common = sum(1 for one, other in places if one == other)
    return old.hashes[:common] != new.hashes[:common]


def inclusion_path(index: int, size: int, subtree: Subtree) -> list[bytes]:
    """The proof that leaf ``index`` is in the tree of ``size`` leaves (section 2.1.3.1).

    Raises ValueError if there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"found leaf {index}; needed one from 0 to {size - 1}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_hash_between(middle, end, subtree))
            end = middle
        else:
            path.append(_hash_between(start, middle, subtree))
            start = middle
    return path[::-1]


def consistency_path(old: int, new: int, subtree: Subtree) -> list[bytes]:
    """The proof that the tree of ``new`` leaves begins with that of ``old`` (section 2.1.4.1).

    Raises ValueError unless 0 < old <= new.
    """
    if not 0 < old <= new:
        raise ValueError(f"found an old size of {old}; needed one from 1 to {new}")
    path: list[bytes] = []
    start, end, is_whole = 0, new, True
    while old != end:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(_hash_between(middle, end, subtree))
            end = middle
        else:
            path.append(_hash_between(start, middle, subtree))
            start, is_whole = middle, False
    if not is_whole:
        path.append(_hash_between(start, end, subtree))
    return path[::-1]


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether ``path`` proves the leaf hash at ``index`` under this root (section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, hashed = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            hashed = node_of(sibling, hashed)
            while not place & 1 and place:
                place >>= 1
                last >>= 1
        else:
            hashed = node_of(hashed, sibling)
        place >>= 1
        last >>= 1
    return last == 0 and hashed == root


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Whether ``path`` proves that the new tree only added to the old one (section 2.1.4.2)."""
    if old == new:
        return not path and old_root == new_root
    if not 0 < old < new:
        return False
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place >>= 1
        last >>= 1
    first = second = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node_of(sibling, first), node_of(sibling, second)
            while not place & 1 and place:
                place >>= 1
                last >>= 1
        else:
            second = node_of(second, sibling)
        place >>= 1
        last >>= 1
    return last == 0 and first == old_root and second == new_root


def _block_root(leaves: bytes) -> bytes:
    """The hash over a power of two of leaves, computed level by level, which is faster."""
    level = leaves
    while len(level) > HASH_BYTES:
        pairs = range(0, len(level), 2 * HASH_BYTES)
        level = b"".join(
            [
                hashlib.sha256(_NODE_PREFIX + level[pair : pair + 2 * HASH_BYTES]).digest()
                for pair in pairs
            ]
        )
    return level


def _split(size: int) -> int:
    """The largest power of two below ``size``, which is at least 2."""
    return 1 << ((size - 1).bit_length() - 1)


def _hash_between(start: int, end: int, subtree: Subtree) -> bytes:
    """The tree hash over leaves from ``start``, which no subtree needed here crosses."""
    return _joined(_peaks(start, end, subtree))


def _peaks(start: int, end: int, subtree: Subtree) -> list[bytes]:
    """The hashes of the complete subtrees over these leaves, the largest first."""
    return [subtree(level, index) for level, index in _places(start, end)]


def _places(start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        level = (end - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level


def _joined(peaks: Sequence[bytes]) -> bytes:
    if not peaks:
        return _EMPTY_ROOT
    *rest, root = peaks
    for peak in reversed(rest):
        root = node_of(peak, root)
    return root
