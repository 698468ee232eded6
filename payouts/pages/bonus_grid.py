"""The bonus grid of a Mega Fire Blaze round as it was played: sections, spins, and the sum."""

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
    """A place of the grid; value and spin are None where nothing fell."""

    number: int
    value: str | None
    spin: int | None


class Section(NamedTuple):
    """Six places of the grid, and what they revealed if they were all filled."""

    number: int
    cells: tuple[Cell, ...]
    specials: tuple[tuple[str, str], ...]
    """(kind, value), as the feed has it."""
    sum: int

    @property
    def filled(self) -> int:
        """So many of its places are filled."""
        return sum(cell.value is not None for cell in self.cells)

    @property
    def full_at(self) -> int | None:
        """The spin that filled its last place; None where one is empty."""
        spins = [cell.spin for cell in self.cells if cell.spin is not None]
        return max(spins) if len(spins) == CELLS_OF_SECTION else None


class Spin(NamedTuple):
    """One spin: what fell, and how many are left after it."""

    number: int
    fell: tuple[tuple[int, str], ...]
    left: int

    @property
    def lives(self) -> list[bool]:
        """A dot for each spin there can be: whether it is left."""
        return [life <= self.left for life in _LIVES]


class Term(NamedTuple):
    """A part of the sum, in words."""

    words: str
    value: int


class Rung(NamedTuple):
    """A level of the bonus on the ladder of points."""

    name: str
    level: Level
    is_reached: bool
    is_played: bool


class BonusGrid(NamedTuple):
    """All that the page shows of a bonus that was played."""

    level: Level
    sections: tuple[Section, ...]
    spins: tuple[Spin, ...]
    beyond: tuple[tuple[int, int, str], ...]
    """(spin, place, value) of what fell where the level has no place, or twice."""
    terms: tuple[Term, ...]
    """What the multiplier is the sum of; none where the grid is not as its level can be."""
    total: int
    is_right: bool

    @property
    def places(self) -> int:
        """All places of the level."""
        return len(self.sections) * CELLS_OF_SECTION

    @property
    def filled(self) -> int:
        """Places where something fell."""
        return sum(section.filled for section in self.sections)

    @property
    def is_limited(self) -> bool:
        """The level pays less than the sum."""
        return self.total > self.level.most


def fire_blaze_of(rules: RuleSet) -> FireBlaze | None:
    """The bonus game of a rule set, None where it has none."""
    game = rules.declaration
    return game.bonus if isinstance(game, BlackjackGame) else None


def lay_ladder(blaze: FireBlaze, *, points: int | None, played: str | None) -> list[Rung]:
    """The levels from the greatest to the least; which the points reach, if they are known."""
    return [
        Rung(name, level, points is not None and points >= level.points, name == played)
        for name, level in reversed(list(blaze.levels.items()))
    ]


def lay_grid(blaze: FireBlaze, bonus: Bonus) -> BonusGrid:
    """The grid of a bonus as it came, whether or not its level can give it."""
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
        there = tuple(
            cells.get(place, Cell(place, None, None))
            for place in range(first, first + CELLS_OF_SECTION)
        )
        revealed = tuple(
            (kind, value) for section, kind, value in bonus.specials if section == str(number)
        )
        yield Section(number, there, revealed, sum(int(cell.value or 0) for cell in there))


def _spins(bonus: Bonus) -> Iterator[Spin]:
    left = SPINS
    for number, spin in enumerate(bonus.spins, start=1):
        left = SPINS if spin else left - 1
        yield Spin(number, spin, left)


def _terms(sections: Sequence[Section], bonus: Bonus, cells: Mapping[int, Cell]) -> Iterator[Term]:
    """Each section that holds something, and behind it what it revealed."""
    values = {number: cell.value for number, cell in cells.items() if cell.value is not None}
    specials = specials_of(bonus, values)
    for section in sections:
        if section.sum:
            yield Term(_("Section %(number)s") % {"number": section.number}, section.sum)
        for special in specials:
            if special.section == section.number:
                yield Term(_special_words(special), special.adds)


def _special_words(special: Special) -> str:
    if special.kind == BOOST:
        return _("Boost %(value)s") % {"value": f"\u00d7{special.value}"}
    return _("Star")
