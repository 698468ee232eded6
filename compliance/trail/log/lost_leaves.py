"""The leaves of the log that lie in its gaps, and the subtrees over them that are known."""

from collections.abc import Mapping
from typing import NamedTuple, Self

from compliance.trail.log.merkle_tree import HASH_BYTES, places_of_peaks
from compliance.trail.models import LogGap, TreeHead


class LostLeaves(NamedTuple):
    """The gaps of the log."""

    spans: tuple[range, ...] = ()
    """The lost leaves of each gap."""
    peaks: Mapping[tuple[int, int], bytes] = {}
    """The subtrees from which the log was continued, by level and index."""

    @classmethod
    def read(cls) -> Self:
        """Those that the database has. A declaration is not verified here."""
        gaps = list(LogGap.objects.order_by("sequence"))
        if not gaps:
            return cls()
        heads = TreeHead.objects.in_bulk([n for gap in gaps for n in (gap.after, gap.sequence)])
        spans: list[range] = []
        peaks: dict[tuple[int, int], bytes] = {}
        for gap in gaps:
            before, last = heads.get(gap.after), heads.get(gap.sequence)
            if before is not None and last is not None:
                spans.append(range(before.size, last.size))
                peaks |= dict(zip(places_of_peaks(last.size), peaks_of(gap), strict=False))
        return cls(tuple(spans), peaks)

    def meet(self, start: int, end: int) -> bool:
        """Whether one of these leaves is lost."""
        return any(start < span.stop and span.start < end for span in self.spans)

    def contain(self, start: int, end: int) -> bool:
        """Whether all of these leaves are lost in one gap."""
        return any(span.start <= start and end <= span.stop for span in self.spans)


def peaks_of(gap: LogGap) -> tuple[bytes, ...]:
    """The hashes in the gap's row, the largest subtree first."""
    peaks = bytes(gap.peaks)
    return tuple(peaks[start : start + HASH_BYTES] for start in range(0, len(peaks), HASH_BYTES))
