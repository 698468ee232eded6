"""The bonus grid of a Mega Fire Blaze round: sections, spins and sum."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.fire_blaze import (
    BOOST,
    CELLS_OF_SECTION,
    SPINS,
    FireBlaze,
    Level,
    Special,
    specials_of,
)
from rounds.rules.facts import Bonus
from rounds.rules.rule_set import RuleSet

_LIVES: Final = range(1, SPINS + 1)


class Cell(NamedTuple):
    """A position of the grid; value and spin are None if empty."""

    number: int
    value: str | None
    spin: int | None


class Section(NamedTuple):
    """Six positions of the grid, and the value revealed when all are filled."""

    number: int
    cells: tuple[Cell, ...]
    specials: tuple[tuple[str, str], ...]
    """(kind, value), as in the feed."""
    sum: int

    @property
    def filled(self) -> int:
        """Number of filled positions."""
        return sum(cell.value is not None for cell in self.cells)

    @property
    def full_at(self) -> int | None:
        """The spin that filled the last position; None if one is empty."""
        spins = [cell.spin for cell in self.cells if cell.spin is not None]
        return max(spins) if len(spins) == CELLS_OF_SECTION else None


class Spin(NamedTuple):
    """A spin: the values that landed, and the remaining spins."""

    number: int
    fell: tuple[tuple[int, str], ...]
    left: int

    @property
    def lives(self) -> list[bool]:
        """For each possible spin, whether it remains."""
        return [life <= self.left for life in _LIVES]


class Term(NamedTuple):
    """A term of the sum, with its label."""

    words: str
    value: int


class Rung(NamedTuple):
    """A level of the bonus, by Fire Blaze points."""

    name: str
    level: Level
    is_reached: bool
    is_played: bool


class BonusGrid(NamedTuple):
    """A played bonus."""

    level: Level
    sections: tuple[Section, ...]
    spins: tuple[Spin, ...]
    beyond: tuple[tuple[int, int, str], ...]
    """(spin, place, value) of values at a place that the level lacks, or that was filled."""
    terms: tuple[Term, ...]
    """The terms of the multiplier; empty if the grid is impossible at its level."""
    total: int
    is_right: bool

    @property
    def places(self) -> int:
        """All positions of the level."""
        return len(self.sections) * CELLS_OF_SECTION

    @property
    def filled(self) -> int:
        """Number of filled positions."""
        return sum(section.filled for section in self.sections)

    @property
    def is_limited(self) -> bool:
        """Whether the level pays less than the sum."""
        return self.total > self.level.most


def fire_blaze_of(rules: RuleSet) -> FireBlaze | None:
    """The bonus game of a rule set; None without one."""
    game = rules.declaration
    return game.bonus if isinstance(game, BlackjackGame) else None


def lay_ladder(blaze: FireBlaze, *, points: int | None, played: str | None) -> list[Rung]:
    """The levels from highest to lowest; marks the level reached, if the points are known."""
    return [
        Rung(name, level, points is not None and points >= level.points, name == played)
        for name, level in reversed(list(blaze.levels.items()))
    ]


def lay_grid(blaze: FireBlaze, bonus: Bonus) -> BonusGrid:
    """The grid of a bonus as received, also if it is impossible at its level."""
    level = blaze.levels[bonus.level]
    cells, beyond = _fill(level, bonus)
    is_right = blaze.grid_is_right(bonus)
    sections = tuple(_sections(level, bonus, cells))
    terms = tuple(_terms(sections, bonus, cells)) if is_right else ()
    return BonusGrid(
        level,
        sections,
        tuple(_spins(bonus)),
        tuple(beyond),
        terms,
        sum(term.value for term in terms),
        is_right,
    )


def _fill(level: Level, bonus: Bonus) -> tuple[dict[int, Cell], list[tuple[int, int, str]]]:
    places = range(1, level.sections * CELLS_OF_SECTION + 1)
    cells: dict[int, Cell] = {}
    beyond = []
    for number, spin in enumerate(bonus.spins, start=1):
        for place, value in spin:
            if place in places and place not in cells:
                cells[place] = Cell(place, value, number)
            else:
                beyond.append((number, place, value))
    return cells, beyond


def _sections(level: Level, bonus: Bonus, cells: Mapping[int, Cell]) -> Iterator[Section]:
    for number in range(1, level.sections + 1):
        first = CELLS_OF_SECTION * (number - 1) + 1
        positions = tuple(
            cells.get(place, Cell(place, None, None))
            for place in range(first, first + CELLS_OF_SECTION)
        )
        revealed = tuple(
            (kind, value) for section, kind, value in bonus.specials if section == str(number)
        )
        yield Section(number, positions, revealed, sum(int(cell.value or 0) for cell in positions))


def _spins(bonus: Bonus) -> Iterator[Spin]:
    left = SPINS
    for number, spin in enumerate(bonus.spins, start=1):
        left = SPINS if spin else left - 1
        yield Spin(number, spin, left)


def _terms(sections: Sequence[Section], bonus: Bonus, cells: Mapping[int, Cell]) -> Iterator[Term]:
    """The values of each section, followed by the revealed one."""
    values = {number: cell.value for number, cell in cells.items() if cell.value is not None}
    specials = specials_of(bonus, values)
    for section in sections:
        if section.sum:
            yield Term(_("Section %(number)s") % {"number": section.number}, section.sum)
        for special in specials:
            if special.section == section.number:
                yield Term(_special_label(special), special.adds)


def _special_label(special: Special) -> str:
    if special.kind == BOOST:
        return _("Boost %(value)s") % {"value": f"\u00d7{special.value}"}
    return _("Star")
