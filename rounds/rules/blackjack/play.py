"""Plays in the feed's notation: decisions in order, split hands separated by a comma.

The number of cards that a play requires and its raise depend on the decisions alone: illegal
decisions are carried out too (contract, detail 22).
"""

from functools import lru_cache
from typing import Final, NamedTuple

HIT: Final = "H"
STAND: Final = "S"
DOUBLE: Final = "D"
SPLIT: Final = "P"
ZAP: Final = "Z"

OPENING_HAND: Final = ""
FIRST_HAND: Final = "a"
SECOND_HAND: Final = "b"
ZAPPED: Final = "z"
_OPENING: Final = 2


class Play(NamedTuple):
    """The decisions on one box."""

    opening: str
    """On the opening hand, up to a split."""
    split: tuple[str, str] | None
    """On the two hands of a split."""
    raises: int
    """The number of further stakes: one for each split and each double."""


@lru_cache(maxsize=1024)
def read_play(text: str) -> Play:
    """A play from its text, which is valid (contract, detail 10)."""
    opening, split, rest = text.partition(SPLIT)
    hands = rest.partition(",")
    return Play(
        opening, (hands[0], hands[2]) if split else None, text.count(DOUBLE) + text.count(SPLIT)
    )


@lru_cache(maxsize=1024)
def cards_called(box: int, text: str) -> tuple[tuple[str, int], ...]:
    """The number of cards that a play of this box requires, by place, opening cards included."""
    play = read_play(text)
    calls = {str(box): _OPENING}
    _call(calls, box, OPENING_HAND, play.opening)
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
