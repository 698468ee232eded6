"""The chips on the table, and the result of each hand."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rounds.layouts.table import LayoutBox, LayoutHand
from rounds.rules.blackjack import reasons
from rounds.rules.verdict import LOSE, PUSH, WIN

_MOST_CHIPS: Final = 6
_RESULTS: Final = {
    **dict.fromkeys(
        (
            reasons.WIN,
            reasons.BLACKJACK,
            reasons.CHARLIE,
            reasons.MULTIPLIED_WIN,
            reasons.MULTIPLIED_BLACKJACK,
        ),
        WIN,
    ),
    **dict.fromkeys((reasons.PUSH, reasons.PUSH_OF_BLACKJACKS, reasons.PUSH_ON_BUST), PUSH),
    **dict.fromkeys(
        (reasons.BUST, reasons.LOSE, reasons.LOSE_TO_BLACKJACK, reasons.DOUBLE_RETURNED), LOSE
    ),
}


class Chips(NamedTuple):
    """Chips of bets played alike: one box or baccarat bet."""

    label: str
    play: str
    behind: bool
    golden: bool
    bets: int
    stake_cents: int
    raised_cents: int
    reasons: tuple[str, ...]
    """The deciding rule; empty if the bets were decided by different rules."""


class LaidBox(NamedTuple):
    """A box with its chips; each hand with its result, None if players differ."""

    box: LayoutBox
    hands: tuple[tuple[LayoutHand, str | None], ...]
    chips: tuple[Chips, ...]
    ways_of_playing: int
    further_chips: int
    """Number of groups of chips not shown."""


def lay_stakes(
    boxes: Sequence[LayoutBox], chips: Mapping[int | None, Sequence[Chips]]
) -> list[LaidBox]:
    """The boxes with their stakes."""
    laid = []
    for box in boxes:
        here = chips.get(box.number, [])
        own = [stake for stake in here if not stake.behind]
        results = _results(own, len(box.hands))
        laid.append(
            LaidBox(
                box,
                tuple(zip(box.hands, results, strict=True)),
                tuple(here[:_MOST_CHIPS]),
                len(own),
                len(here[_MOST_CHIPS:]),
            )
        )
    return laid


def _results(own: Sequence[Chips], hands: int) -> Sequence[str | None]:
    """One rule decides each hand, in order; a rule of a golden chip may follow."""
    if len(own) == 1 and len(own[0].reasons) >= hands:
        return [_RESULTS.get(reason) for reason in own[0].reasons[:hands]]
    return [None] * hands
