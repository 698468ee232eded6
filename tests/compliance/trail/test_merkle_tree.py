"""The Merkle tree: proofs against the text of RFC 9162, for every size up to seventy."""

import hashlib
from functools import cache
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.trail.log.merkle_tree import (
    Peaks,
    consistency_path,
    contradict,
    inclusion_path,
    is_consistent,
    is_included,
    node_of,
    places_of_peaks,
    root_of,
)

_MOST: Final = 70
LEAVES: Final = [hashlib.sha256(bytes([0, number])).digest() for number in range(_MOST)]


@cache
def subtree(level: int, index: int) -> bytes:
    """The hash of a range of ``LEAVES``."""
    if level == 0:
        return LEAVES[index]
    return node_of(subtree(level - 1, 2 * index), subtree(level - 1, 2 * index + 1))


@pytest.mark.parametrize("size", range(1, _MOST))
class TestATree:
    def test_proves_each_of_its_leaves_and_no_other(self, size: int) -> None:
        """Changed or shortened paths are refused."""
        root = root_of(LEAVES[:size])
        for index in range(size):
            path = inclusion_path(index, size, subtree)

            assert is_included(LEAVES[index], index, size, path, root)
            assert not is_included(LEAVES[index + 1], index, size, path, root)
            assert not is_included(LEAVES[index], index, size, [*path, root], root)
            for removed in range(len(path)):
                shorter = path[:removed] + path[removed + 1 :]
                assert not is_included(LEAVES[index], index, size, shorter, root)

    def test_proves_that_it_begins_with_each_smaller_one(self, size: int) -> None:
        """And with no other tree of that size."""
        root = root_of(LEAVES[:size])
        for old in range(1, size):
            path = consistency_path(old, size, subtree)

            assert is_consistent(old, root_of(LEAVES[:old]), size, root, path)
            assert not is_consistent(old, root_of(LEAVES[1 : old + 1]), size, root, path)
            assert not is_consistent(old, root_of(LEAVES[:old]), size, root, path[:-1])
        assert is_consistent(size, root, size, root, [])

    def test_grows_from_its_peaks(self, size: int) -> None:
        """The peaks are enough to append."""
        peaks = Peaks.of(size, subtree)

        peaks.append(LEAVES[size])

        assert peaks.root() == root_of(LEAVES[: size + 1])


class TestWhatIsNotInATree:
    def test_cannot_be_proved(self) -> None:
        """Leaves beyond the end, empty and larger trees."""
        for index in (-1, 3):
            with pytest.raises(ValueError, match="needed one from 0 to 2"):
                inclusion_path(index, 3, subtree)
        for old in (0, 4):
            with pytest.raises(ValueError, match="needed one from 1 to 3"):
                consistency_path(old, 3, subtree)
        assert not is_included(LEAVES[0], 3, 3, [], LEAVES[0])
        assert not is_consistent(4, LEAVES[0], 3, LEAVES[0], [])
        assert not is_consistent(3, LEAVES[0], 4, LEAVES[0], [])


def leaves(number: int) -> list[bytes]:
    """So many different leaf hashes."""
    return [index.to_bytes(32, "big") for index in range(number)]


class TestATreeContinuedFromPeaks:
    @settings(suppress_health_check=[HealthCheck.too_slow])  # as on a machine that is busy
    @given(lost=st.integers(1, 700), more=st.integers(1, 700), chance=st.integers(0, 2**32))
    def test_has_the_roots_and_proofs_of_the_whole_tree(
        self, lost: int, more: int, chance: int
    ) -> None:
        """With nothing of the lost leaves but the peaks."""
        every = leaves(lost + more)
        known = dict(zip(places_of_peaks(lost), peaks_over(every[:lost]).hashes, strict=True))

        def known_subtree(level: int, index: int) -> bytes:
            if (level, index) in known:
                return known[level, index]
            start, end = index << level, (index + 1) << level
            if start >= lost:
                return root_of(every[start:end])
            assert end > lost, "a lost subtree that is no peak"
            return over(level, index)

        def over(level: int, index: int) -> bytes:
            return node_of(
                known_subtree(level - 1, 2 * index), known_subtree(level - 1, 2 * index + 1)
            )

        tree = Peaks(lost, list(known.values()))
        tree.extend(b"".join(every[lost:]))
        leaf = lost + chance % more

        assert tree.root() == root_of(every)
        assert not contradict(peaks_over(every[: 1 + chance % lost]), Peaks(lost, known.values()))
        growth = consistency_path(lost, lost + more, known_subtree)
        assert is_consistent(lost, root_of(every[:lost]), lost + more, tree.root(), growth)
        path = inclusion_path(leaf, lost + more, known_subtree)
        assert is_included(every[leaf], leaf, lost + more, path, tree.root())


def peaks_over(some: list[bytes]) -> Peaks:
    """The peaks of the tree over these leaves."""
    peaks = Peaks()
    peaks.extend(b"".join(some))
    return peaks
