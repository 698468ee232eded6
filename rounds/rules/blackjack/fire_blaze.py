"""Fire Blaze points and the bonus that they earn. [MFB] Regolamento di Fire Blaze."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.blackjack.totals import ACE, Values, total_of_values
from rounds.rules.facts import Bonus

CELLS_OF_SECTION: Final = 6
SPINS: Final = 3
"""[MFB] Mega Fire Blaze Bonus: a spin that fills a cell brings the counter back to so many."""
_FOURTEEN: Final = 14


class Level(NamedTuple):
    """A level of the bonus as the sheet's tables print it."""

    points: int
    sections: int
    cells: frozenset[str]
    boosts: frozenset[str]
    stars: frozenset[str]
    least: int
    most: int
    """The total multiplier, stake included; a higher sum pays this much."""


class Points(NamedTuple):
    """What Fire Blaze events are worth; rows add up (R: as the sheet's own example does)."""

    boxes: Sequence[int]
    """The first box whose first two cards total 14, the second."""
    aces: Sequence[int]
    """The dealer's first Ace, the second; further ones are worth nothing."""
    cards: Mapping[int, int]
    """The dealer's cards: what the fourth, the fifth and the sixth add."""


class FireBlaze(NamedTuple):
    """The bonus game: what earns it, and its levels from the least to the greatest."""

    points: Points
    levels: Mapping[str, Level]

    def points_of(self, *, boxes: Iterable[Values], dealer: Values) -> int:
        """The points of a round: the opening cards of the boxes, all cards of the dealer."""
        fourteens = sum([total_of_values(box).points == _FOURTEEN for box in boxes])
        aces = dealer.count(ACE)
        return (
            sum(self.points.boxes[:fourteens])
            + sum(self.points.aces[:aces])
            + sum(worth for cards, worth in self.points.cards.items() if len(dealer) >= cards)
        )

    def level_of(self, points: int) -> str | None:
        """The highest level that the points reach."""
        reached = [name for name, level in self.levels.items() if points >= level.points]
        return reached[-1] if reached else None

    def grid_is_right(self, bonus: Bonus) -> bool:
        """Whether the bonus is one that its own level can give (contract, detail 45)."""
        level = self.levels[bonus.level]
        cells = _filled_cells(level, bonus)
        if cells is None or not _specials_are_right(level, bonus, cells):
            return False
        total = _total(bonus, cells)
        return total >= level.least and bonus.multiplier == str(min(total, level.most))


def _filled_cells(level: Level, bonus: Bonus) -> dict[int, str] | None:
    """The multiplier in every cell at the end, None when the spins could not go like that."""
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
    """Whether every special stands on a full section and is one that the level has."""
    values = {"boost": level.boosts, "star": level.stars}
    return all(
        1 <= int(section) <= level.sections
        and all(cell in cells for cell in _cells_of(int(section)))
        and value in values[kind]
        for section, kind, value in bonus.specials
    )


def _total(bonus: Bonus, cells: Mapping[int, str]) -> int:
    """All cells, those of a boosted section as often as the boost says, and the stars."""
    total = sum([int(multiplier) for multiplier in cells.values()])
    for section, kind, value in bonus.specials:
        if kind == "star":
            total += int(value)
        else:
            full = sum([int(cells[cell]) for cell in _cells_of(int(section))])
            total += full * (int(value) - 1)
    return total


def _cells_of(section: int) -> range:
    first = CELLS_OF_SECTION * (section - 1) + 1
    return range(first, first + CELLS_OF_SECTION)
