"""The places of a round's cards, whatever the cards: which are called for, lacking, or in excess.

Tables are laid out in the same few ways again and again, so each way is looked at once.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from rounds.rules.blackjack.play import cards_called

DEALER: Final = "D"
_OPENING: Final = 2

BoxPlay = tuple[int, str]
"""A box and how it was played."""


class Layout(NamedTuple):
    """Where cards lie and where they should, the dealer's draw aside."""

    called: Mapping[str, int]
    """How many cards of each place the rules and the plays call for, the dealer's aside."""
    lacks_card: bool
    has_extra_card: bool
    """A place has more cards than are called for."""
    is_in_dealing_order: bool
    """Two cards of each box and of the dealer precede all others (contract, detail 24)."""


@lru_cache(maxsize=4096)
def layout_of(places: tuple[str, ...], boxes: frozenset[int], plays: frozenset[BoxPlay]) -> Layout:
    """The layout of cards at these places, when these boxes were dealt and played like that."""
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
    """Only places that are called for are looked at, so other players' cards do not disturb."""
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
