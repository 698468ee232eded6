"""The layout of a round: required, missing and extra cards by place, not by rank.

Cached, because rounds share few different layouts.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from rounds.rules.blackjack.play import cards_called

DEALER: Final = "D"
_OPENING: Final = 2

BoxPlay = tuple[int, str]
"""A box and its play."""


class Layout(NamedTuple):
    """The actual and the required cards by place, without the dealer's."""

    called: Mapping[str, int]
    """The number of cards that the deal and the plays require of each place."""
    lacks_card: bool
    has_extra_card: bool
    """A place has more cards than required."""
    is_in_dealing_order: bool
    """Two cards of each box and of the dealer precede all others (contract, detail 24)."""


@lru_cache(maxsize=4096)
def layout_of(places: tuple[str, ...], boxes: frozenset[int], plays: frozenset[BoxPlay]) -> Layout:
    """The layout of cards at these places, for these boxes and plays."""
    called = {str(box): _OPENING for box in boxes}
    for play in plays:
        for place, count in cards_called(*play):
            called[place] = max(count, called.get(place, 0))
    lie = Counter(places)
    return Layout(
        called,
        any(lie[place] < count for place, count in called.items()),
        any(lie[place] > called.get(place, 0) for place in lie if place != DEALER),
        _in_dealing_order(places, boxes, called),
    )


def _in_dealing_order(
    places: tuple[str, ...], boxes: frozenset[int], called: Mapping[str, int]
) -> bool:
    """Ignores places that require no cards, such as those of other players."""
    opened = dict.fromkeys(map(str, boxes), 0)
    opened[DEALER] = 0
    is_open = False
    for place in places:
        if opened.get(place, _OPENING) < _OPENING:
            if is_open:
                return False
            opened[place] += 1
        elif place in called or place == DEALER:
            is_open = True
    return True
