"""Simulated grids of the Mega Fire Blaze bonus ([MFB] Mega Fire Blaze Bonus)."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from rounds.feed.bonus import Spin
from rounds.rules.blackjack.fire_blaze import CELLS_OF_SECTION, SPINS, FireBlaze, Level
from rounds.rules.blackjack.totals import total_of
from rounds.rules.facts import Bonus
from rounds.simulation.chance import happens, pick_weighted
from rounds.simulation.weights import GridWeights

BONUS_BET: Final = "mega_fire_blaze"
_FOURTEEN: Final = 14

Special = tuple[str, str, str]


def level_earned(blaze: FireBlaze, dealt: Iterable[tuple[str, str]]) -> str | None:
    """The bonus level that the cards of a round earn, if any.

    Counts the declared points independently of the judge, so that each checks the other.
    """
    streams: dict[str, list[str]] = {}
    for place, card in dealt:
        streams.setdefault(place, []).append(card)
    dealer = streams["D"]
    boxes = [cards[:2] for place, cards in streams.items() if place.isdigit()]
    fourteens = [box for box in boxes if total_of(box).points == _FOURTEEN]
    aces = [card for card in dealer if card[0] == "A"]
    points = sum(worth for worth, _ in zip(blaze.points.boxes, fourteens, strict=False))
    points += sum(worth for worth, _ in zip(blaze.points.aces, aces, strict=False))
    points += sum(blaze.points.cards.get(nth, 0) for nth in range(1, len(dealer) + 1))
    return blaze.level_of(points)


def play_bonus(rng: Random, *, name: str, level: Level, weights: GridWeights) -> Bonus:
    """A bonus of a level. A grid below the minimal total is spun again."""
    while True:
        spins = _spin_out(rng, level, weights)
        cells = {cell: int(multiplier) for spin in spins for cell, multiplier in spin}
        specials = _reveal_specials(rng, level, cells, weights)
        total = _total(cells, specials)
        if total >= level.least:
            return Bonus(name, spins, specials, f"{min(total, level.most)}")


def _spin_out(rng: Random, level: Level, weights: GridWeights) -> tuple[Spin, ...]:
    """Spins until three in a row fill nothing or no cell is empty."""
    empty = list(range(1, level.sections * CELLS_OF_SECTION + 1))
    spins: list[Spin] = []
    left = SPINS
    while left and empty:
        filled = [cell for cell in empty if happens(rng, weights.fills)]
        empty = [cell for cell in empty if cell not in filled]
        spins.append(tuple((cell, pick_weighted(rng, weights.cells)) for cell in filled))
        left = SPINS if filled else left - 1
    return tuple(spins)


def _reveal_specials(
    rng: Random, level: Level, cells: Mapping[int, int], weights: GridWeights
) -> tuple[Special, ...]:
    """Occasionally a boost or a star for a full section."""
    offers = {("boost", value): weight for value, weight in weights.boosts.items()}
    offers |= {("star", value): weight for value, weight in weights.stars.items()}
    specials = []
    for section in range(1, level.sections + 1):
        full = sum(_section_of(cell) == section for cell in cells) == CELLS_OF_SECTION
        if full and happens(rng, weights.reveals):
            specials.append((f"{section}", *pick_weighted(rng, offers)))
    return tuple(specials)


def _total(cells: Mapping[int, int], specials: Iterable[Special]) -> int:
    boosts = {int(section): int(value) for section, kind, value in specials if kind == "boost"}
    stars = sum(int(value) for _, kind, value in specials if kind == "star")
    return stars + sum(
        multiplier * boosts.get(_section_of(cell), 1) for cell, multiplier in cells.items()
    )


def _section_of(cell: int) -> int:
    return (cell - 1) // CELLS_OF_SECTION + 1
