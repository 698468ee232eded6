"""Fire Blaze points and bonus levels. [MFB] Regolamento di Fire Blaze."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.blackjack.totals import ACE, Values, total_of_values
from rounds.rules.facts import Bonus

CELLS_OF_SECTION: Final = 6
SPINS: Final = 3
"""[MFB] Mega Fire Blaze Bonus: a spin that fills a cell resets the counter to this number."""
BOOST: Final = "boost"
STAR: Final = "star"
_FOURTEEN: Final = 14


class Level(NamedTuple):
    """A level of the bonus, as printed in the tables of the sheet."""

    points: int
    sections: int
    cells: frozenset[str]
    boosts: frozenset[str]
    stars: frozenset[str]
    least: int
    most: int
    """The maximal total multiplier, stake included."""


class Points(NamedTuple):
    """The points of Fire Blaze events; rows add up (R: as in the sheet's example)."""

    boxes: Sequence[int]
    """The first box whose first two cards total 14, the second."""
    aces: Sequence[int]
    """The dealer's first Ace, the second; further ones add nothing."""
    cards: Mapping[int, int]
    """Points of the dealer's fourth, fifth and sixth card."""


FOURTEEN: Final = "fourteen"
ACE_OF_DEALER: Final = "ace-of-dealer"
CARDS_OF_DEALER: Final = "cards-of-dealer"


class PointRow(NamedTuple):
    """A row of the point table that a round earned."""

    event: str
    number: int
    """The first or second box with 14, the dealer's first or second Ace or fourth card."""
    position: int
    """The index of the box or of the dealer's card."""
    points: int


class Special(NamedTuple):
    """A special revealed by a full section, and its addition to the sum of the cells."""

    section: int
    kind: str
    value: int
    adds: int


class FireBlaze(NamedTuple):
    """The bonus game: its points, and its levels in ascending order."""

    points: Points
    levels: Mapping[str, Level]

    def points_of(self, *, boxes: Iterable[Values], dealer: Values) -> int:
        """The points of a round, from the opening cards of boxes and all cards of the dealer."""
        return sum([row.points for row in self.rows_of(boxes=boxes, dealer=dealer)])

    def rows_of(self, *, boxes: Iterable[Values], dealer: Values) -> list[PointRow]:
        """The earned rows of the point table, in its order."""
        fourteens = [
            index for index, box in enumerate(boxes) if total_of_values(box).points == _FOURTEEN
        ]
        aces = [index for index, value in enumerate(dealer) if value == ACE]
        rows = _rows(FOURTEEN, fourteens, self.points.boxes)
        rows += _rows(ACE_OF_DEALER, aces, self.points.aces)
        for cards, worth in self.points.cards.items():
            if len(dealer) >= cards:
                rows.append(PointRow(CARDS_OF_DEALER, cards, cards - 1, worth))
        return rows

    def level_of(self, points: int) -> str | None:
        """The highest level that the points reach."""
        reached = [name for name, level in self.levels.items() if points >= level.points]
        return reached[-1] if reached else None

    def grid_is_right(self, bonus: Bonus) -> bool:
        """Whether the grid is possible at its level (contract, detail 45)."""
        level = self.levels[bonus.level]
        cells = _filled_cells(level, bonus)
        if cells is None or not _specials_are_right(level, bonus, cells):
            return False
        total = total_of_grid(bonus, cells)
        return total >= level.least and bonus.multiplier == str(min(total, level.most))


def _rows(event: str, indices: Sequence[int], worth: Sequence[int]) -> list[PointRow]:
    """A row for each event with points; further events have none."""
    return [
        PointRow(event, number, index, points)
        for number, (index, points) in enumerate(zip(indices, worth, strict=False), start=1)
    ]


def _filled_cells(level: Level, bonus: Bonus) -> dict[int, str] | None:
    """The final multiplier of every cell, None for impossible spins."""
    size = level.sections * CELLS_OF_SECTION
    cells: dict[int, str] = {}
    spins_left = SPINS
    for spin in bonus.spins:
        if not spins_left or len(cells) == size:
            return None
        for cell, multiplier in spin:
            if not 1 <= cell <= size or cell in cells or multiplier not in level.cells:
                return None
            cells[cell] = multiplier
        spins_left = SPINS if spin else spins_left - 1
    return cells if not spins_left or len(cells) == size else None


def _specials_are_right(level: Level, bonus: Bonus, cells: Mapping[int, str]) -> bool:
    """Whether every special has a full section and a value of the level."""
    values = {BOOST: level.boosts, STAR: level.stars}
    return all(
        1 <= int(section) <= level.sections
        and all(cell in cells for cell in cells_of(int(section)))
        and value in values[kind]
        for section, kind, value in bonus.specials
    )


def total_of_grid(bonus: Bonus, cells: Mapping[int, str]) -> int:
    """The sum of all cells, those of boosted sections multiplied, and of the stars."""
    total = sum([int(multiplier) for multiplier in cells.values()])
    return total + sum([special.adds for special in specials_of(bonus, cells)])


def specials_of(bonus: Bonus, cells: Mapping[int, str]) -> list[Special]:
    """The specials of a valid grid, in the order of the feed."""
    specials = []
    for section, kind, value in bonus.specials:
        adds = int(value)
        if kind == BOOST:
            full = sum([int(cells[cell]) for cell in cells_of(int(section))])
            adds = full * (int(value) - 1)
        specials.append(Special(int(section), kind, int(value), adds))
    return specials


def cells_of(section: int) -> range:
    """The cells of a section."""
    first = CELLS_OF_SECTION * (section - 1) + 1
    return range(first, first + CELLS_OF_SECTION)
