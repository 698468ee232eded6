"""Baccarat's table of third cards, with the row and the column that apply to a round's cards."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rounds.rules.baccarat.coup import (
    BANKER,
    BANKER_DRAWS,
    BANKER_DRAWS_UP_TO,
    NATURAL,
    OPENING,
    PLAYER,
    PLAYER_DRAWS_UP_TO,
    POINTS,
    points_of,
)


class TableRow(NamedTuple):
    """Totals of Banker's first two cards, with the points of third cards."""

    totals: tuple[int, ...]
    draws: tuple[int, ...]
    """Banker draws if Player's third card has these points."""
    stays: tuple[int, ...]
    applies: bool


class ThirdCardTable(NamedTuple):
    """The table, and what applies to the hands."""

    rows: Sequence[TableRow]
    player: tuple[str, ...]
    """Player's first two cards."""
    player_points: int
    banker: tuple[str, ...]
    banker_points: int
    third: str | None
    """Player's third card."""
    third_points: int | None
    has_natural: bool
    player_draws_up_to: int = PLAYER_DRAWS_UP_TO
    banker_draws_up_to: int = BANKER_DRAWS_UP_TO
    natural: int = NATURAL


def third_card_table(dealt: Sequence[tuple[str, str]]) -> ThirdCardTable:
    """The table for these cards. Without both opening hands no row applies."""
    player, banker = (
        tuple(card for place, card in dealt if place == hand) for hand in (PLAYER, BANKER)
    )
    first, second = player[:OPENING], banker[:OPENING]
    is_open = len(first) == len(second) == OPENING
    third = player[OPENING] if len(player) > OPENING else None
    has_natural = is_open and max(points_of(first), points_of(second)) >= NATURAL
    applies = is_open and not has_natural and third is not None
    return ThirdCardTable(
        rows=list(_rows(points_of(second) if applies else None)),
        player=first,
        player_points=points_of(first),
        banker=second,
        banker_points=points_of(second),
        third=third,
        third_points=None if third is None else POINTS[third],
        has_natural=has_natural,
    )


def _rows(applying: int | None) -> Iterator[TableRow]:
    """The rows; totals with the same row are one."""
    totals = sorted({total for total, _third in BANKER_DRAWS})
    for draws, group in groupby(totals, _third_cards_drawn):
        alike = tuple(group)
        stays = tuple(third for third in range(10) if third not in draws)
        yield TableRow(alike, draws, stays, applying in alike)


def _third_cards_drawn(total: int) -> tuple[int, ...]:
    return tuple(third for third in range(10) if BANKER_DRAWS[total, third])
