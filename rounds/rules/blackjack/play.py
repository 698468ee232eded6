"""A play as the feed writes it: decisions in order, split hands apart by a comma.

How many cards a play calls for and what it costs depend on its decisions alone, since an illegal
decision is carried out as well (contract, detail 22).
"""

from functools import lru_cache
from typing import Final, NamedTuple

HIT: Final = "H"
STAND: Final = "S"
DOUBLE: Final = "D"
SPLIT: Final = "P"
ZAP: Final = "Z"

OWN_HAND: Final = ""
FIRST_HAND: Final = "a"
SECOND_HAND: Final = "b"
ZAPPED: Final = "z"
_OPENING: Final = 2


class Play(NamedTuple):
    """The decisions on one box."""

    own: str
    """On the hand as it was dealt, up to a split."""
    split: tuple[str, str] | None
    """On the two hands of a split."""
    raises: int
    """How many further stakes it costs: one for each split and each double."""


@lru_cache(maxsize=1024)
def read_play(text: str) -> Play:
    """A play from its text, which has the form that the contract wants (detail 10)."""
    own, split, rest = text.partition(SPLIT)
    hands = rest.partition(",")
    return Play(
        own, (hands[0], hands[2]) if split else None, text.count(DOUBLE) + text.count(SPLIT)
    )


@lru_cache(maxsize=1024)
def cards_called(box: int, text: str) -> tuple[tuple[str, int], ...]:
    """How many cards a play of this box calls for, by place, those of the deal among them."""
    play = read_play(text)
    calls = {str(box): _OPENING}
    _call(calls, box, OWN_HAND, play.own)
    if play.split:
        for hand, decisions in zip((FIRST_HAND, SECOND_HAND), play.split, strict=True):
            calls[f"{box}{hand}"] = 1
            _call(calls, box, hand, decisions)
    return tuple(calls.items())


def _call(calls: dict[str, int], box: int, hand: str, decisions: str) -> None:
    place = f"{box}{hand}"
    for decision in decisions:
        if decision == ZAP:
            place = f"{box}{ZAPPED}"
            calls[place] = calls.get(place, 0) + _OPENING
        elif decision != STAND:
            calls[place] = calls.get(place, 0) + 1
