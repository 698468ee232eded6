"""Findings about Fire Blaze bonuses and multiplier cards."""

from collections.abc import Iterable
from typing import Any, Final

from rounds.rules.anomalies import BONUS_GRID, BONUS_MISSING, BONUS_UNEARNED, MULTIPLIER_CARDS
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE, read_bonus
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.fire_blaze import (
    BOOST,
    CELLS_OF_SECTION,
    SPINS,
    FireBlaze,
    Level,
    cells_of,
    total_of_grid,
)
from rounds.rules.blackjack.interpret_round import Reading
from rounds.rules.blackjack.multipliers import HOW_MANY, multipliers_of
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, LevelName, Literal
from rounds.rules.facts import Bonus, Round
from rounds.rules.findings.held_round_fault import Finding, Findings, make_finding

NOT_PLAYED: Final = gettext_noop(
    "The points earn the bonus %(needed)s, and there is a bet on it; bonuses played: %(found)s."
)
OTHER_LEVEL: Final = gettext_noop(
    "The bonus %(found)s was played; %(points)s points earn the bonus %(needed)s."
)
NOT_EARNED: Final = gettext_noop(
    "The bonus %(found)s was played; the round has %(points)s points, and a bonus requires at least"
    " %(needed)s."
)
SPIN_TOO_MANY: Final = gettext_noop(
    "Spin %(found)s was played; the bonus was over after spin %(needed)s."
)
SPINS_TOO_FEW: Final = gettext_noop(
    "The bonus ended with %(found)s empty spins; it ends after %(needed)s or with a full grid."
)
NO_SUCH_CELL: Final = gettext_noop(
    "Spin %(spin)s filled cell %(found)s; the level %(level)s has cells 1 to %(needed)s."
)
CELL_TWICE: Final = gettext_noop(
    "Spin %(spin)s filled cell %(cell)s again: %(found)s times instead of %(needed)s."
)
NO_SUCH_MULTIPLIER: Final = gettext_noop(
    "Spin %(spin)s filled cell %(cell)s with %(found)s; the level %(level)s allows %(needed)s."
)
NO_SUCH_SECTION: Final = gettext_noop(
    "A special was revealed in section %(found)s; the level %(level)s has sections 1 to %(needed)s."
)
SECTION_NOT_FULL: Final = gettext_noop(
    "Section %(section)s revealed a special with %(found)s cells filled; it requires %(needed)s."
)
NO_SUCH_SPECIAL: Final = gettext_noop(
    "Section %(section)s revealed %(found)s; the level %(level)s allows %(needed)s."
)
OTHER_TOTAL: Final = gettext_noop(
    "The studio announced a multiplier of %(found)s; the grid totals %(needed)s."
)
TOTAL_TOO_SMALL: Final = gettext_noop(
    "The grid totals %(found)s; the level %(level)s pays at least %(needed)s."
)
HOW_MANY_CARDS: Final = gettext_noop(
    "%(found)s multiplier cards; a round has one of these numbers: %(needed)s."
)
OTHER_VALUE: Final = gettext_noop("%(card)s multiplies by %(found)s; the game allows %(needed)s.")


def bonus_findings(game: BlackjackGame, dealt: Round, reading: Reading) -> Findings:
    """A bonus that was not played, was not earned, or is impossible at its level."""
    if game.bonus is None:
        return
    if dealt.bonus is not None and not game.bonus.grid_is_right(dealt.bonus):
        yield _grid_finding(game.bonus.levels[dealt.bonus.level], dealt.bonus)
    read = read_bonus(game.bonus, dealt, reading.live, reading.classified)
    if read.result is None:
        return
    points, earned = read.result.points, read.result.level
    if BONUS_MISSING in read.codes and earned is not None:
        bets = tuple(
            [
                number
                for number, bet in enumerate(dealt.bets)
                if bet.kind == MEGA_FIRE_BLAZE and reading.classified.voids[number] is None
            ]
        )
        yield make_finding(BONUS_MISSING, NOT_PLAYED, found=0, needed=LevelName(earned), bets=bets)
    if BONUS_UNEARNED in read.codes and dealt.bonus is not None:
        yield _unearned(game.bonus, dealt.bonus, points, earned)


def multiplier_findings(game: BlackjackGame, dealt: Round) -> Findings:
    """A wrong number of multiplier cards, or a value that the game does not have."""
    if multipliers_of(game, dealt) is not None:
        return
    cards = dealt.multipliers or ()
    if len(cards) not in HOW_MANY:
        needed = _list(map(str, HOW_MANY))
        yield make_finding(MULTIPLIER_CARDS, HOW_MANY_CARDS, found=len(cards), needed=needed)
    for card, value in cards:
        if value not in game.multipliers:
            found, needed = Literal(value), _list(game.multipliers)
            named = Cards((card,))
            yield make_finding(
                MULTIPLIER_CARDS, OTHER_VALUE, found=found, needed=needed, card=named
            )


def _unearned(blaze: FireBlaze, bonus: Bonus, points: int, earned: str | None) -> Finding:
    found = LevelName(bonus.level)
    if earned is None:
        least = min(level.points for level in blaze.levels.values())
        return make_finding(BONUS_UNEARNED, NOT_EARNED, found=found, needed=least, points=points)
    needed = LevelName(earned)
    return make_finding(BONUS_UNEARNED, OTHER_LEVEL, found=found, needed=needed, points=points)


def _grid_finding(level: Level, bonus: Bonus) -> Finding:
    """The first fault in a grid."""
    cells: dict[int, str] = {}
    fault = _spin_finding(level, bonus, cells) or _special_finding(level, bonus, cells)
    if fault is not None:
        return fault
    total, name = total_of_grid(bonus, cells), LevelName(bonus.level)
    if total < level.least:
        return make_finding(
            BONUS_GRID, TOTAL_TOO_SMALL, found=total, needed=level.least, level=name
        )
    found, needed = Literal(bonus.multiplier), min(total, level.most)
    return make_finding(BONUS_GRID, OTHER_TOTAL, found=found, needed=needed)


def _spin_finding(level: Level, bonus: Bonus, cells: dict[int, str]) -> Finding | None:
    """The first fault in the spins; fills ``cells``."""
    size, name = level.sections * CELLS_OF_SECTION, LevelName(bonus.level)
    left = SPINS
    for spin, filled in enumerate(bonus.spins, start=1):
        if not left or len(cells) == size:
            return make_finding(BONUS_GRID, SPIN_TOO_MANY, found=spin, needed=spin - 1)
        for cell, value in filled:
            known: dict[str, Any] = {"spin": spin, "level": name, "cell": cell}
            found = Literal(value)
            if not 1 <= cell <= size:
                return make_finding(BONUS_GRID, NO_SUCH_CELL, found=cell, needed=size, **known)
            if cell in cells:
                return make_finding(BONUS_GRID, CELL_TWICE, found=2, needed=1, **known)
            if value not in level.cells:
                allowed = _list(level.cells)
                return make_finding(
                    BONUS_GRID, NO_SUCH_MULTIPLIER, found=found, needed=allowed, **known
                )
            cells[cell] = value
        left = SPINS if filled else left - 1
    if left and len(cells) < size:
        return make_finding(BONUS_GRID, SPINS_TOO_FEW, found=SPINS - left, needed=SPINS)
    return None


def _special_finding(level: Level, bonus: Bonus, cells: dict[int, str]) -> Finding | None:
    name = LevelName(bonus.level)
    for section, kind, value in bonus.specials:
        number, allowed = int(section), level.boosts if kind == BOOST else level.stars
        if not 1 <= number <= level.sections:
            sections = level.sections
            return make_finding(
                BONUS_GRID, NO_SUCH_SECTION, found=number, needed=sections, level=name
            )
        filled = sum([cell in cells for cell in cells_of(number)])
        if filled < CELLS_OF_SECTION:
            needed = CELLS_OF_SECTION
            return make_finding(
                BONUS_GRID, SECTION_NOT_FULL, found=filled, needed=needed, section=number
            )
        if value not in allowed:
            found, others = (
                Literal(f"{kind} {value}"),
                _list(f"{kind} {allowed_value}" for allowed_value in allowed),
            )
            return make_finding(
                BONUS_GRID,
                NO_SUCH_SPECIAL,
                found=found,
                needed=others,
                section=number,
                level=name,
            )
    return None


def _list(values: Iterable[str]) -> Literal:
    """The allowed values, sorted; a dash for none."""
    ordered = sorted(values, key=lambda value: (len(value.partition(".")[0]), value))
    return Literal(", ".join(ordered) or "\u2013")
