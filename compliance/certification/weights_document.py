"""What an operator tells of the frequencies that no sheet tells: a JSON document, read and checked.

``docs/certification.md`` has its fields. Everything in it has to be what the sheet allows.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from compliance.certification.bonus_grid import GridWeights, multiplier_chances
from compliance.certification.multiplier_weights import MultiplierWeights
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.fire_blaze import Level
from rounds.rules.blackjack.multipliers import HOW_MANY
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet

FORMAT: Final = "sabot-weights/1"
MULTIPLIER_CARDS: Final = "multiplier_cards"
BONUS_GRID: Final = "bonus_grid"

_MOST: Final = 10**9
_LEAST_CHANCE: Final = 1e-6
_SHOWN: Final = 60
"""Letters of a value that is refused."""
_GRID: Final = ("fills", "cells", "reveals", "boosts", "stars")

Found = Any
"""Whatever JSON can hold."""


class WeightsNotUsable(Exception):
    """A document of weights with something in it that is not allowed; says where, what and why."""

    def __init__(self, field: str, found: object, needed: str) -> None:
        super().__init__(f"{field}: found {found}; needed {needed}")
        self.field = field


class OperatorWeights(NamedTuple):
    """The weights of one rule set, either of multiplier cards or of the grids of all levels."""

    rules: RuleSet
    multipliers: MultiplierWeights | None = None
    grids: Mapping[str, GridWeights] | None = None


def weighed_rule_sets() -> tuple[RuleSet, ...]:
    """The rule sets whose returns rest on weights."""
    return tuple(rules for rules in RULE_SETS.values() if _field_of(rules))


def read_weights(text: str | bytes) -> OperatorWeights:
    """The weights that a document tells. Raises WeightsNotUsable."""
    told = _json_of(text)
    named = told.get("rules") if isinstance(told, dict) else None
    rules = RULE_SETS.get(named) if isinstance(named, str) else None
    field = _field_of(rules) if rules else ""
    if rules is None or not field:
        known = " or ".join(one.name for one in weighed_rule_sets())
        raise WeightsNotUsable("rules", _shown(named), known)
    _only("", told, ("format", "rules", field))
    if told["format"] != FORMAT:
        raise WeightsNotUsable("format", _shown(told["format"]), FORMAT)
    game = _game_of(rules)
    if field == MULTIPLIER_CARDS:
        return OperatorWeights(rules, multipliers=_multipliers(game, told[field]))
    return OperatorWeights(rules, grids=_grids(game, told[field]))


def _game_of(rules: RuleSet) -> BlackjackGame:
    game = rules.declaration
    if not isinstance(game, BlackjackGame):
        raise TypeError(f"{rules.name} is no blackjack")
    return game


def _field_of(rules: RuleSet) -> str:
    """What a document for the rule set holds, empty where its returns need no weights."""
    if rules.multiplier_cards:
        return MULTIPLIER_CARDS
    return BONUS_GRID if rules.bonus_levels else ""


def _json_of(text: str | bytes) -> Found:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as fault:
        raise WeightsNotUsable("document", f"no JSON ({fault})", "one JSON object") from None


def _once(pairs: Iterable[tuple[str, Found]]) -> dict[str, Found]:
    told: dict[str, Found] = {}
    for name, value in pairs:
        if name in told:
            raise WeightsNotUsable(name, "it twice in one object", "it once")
        told[name] = value
    return told


def _refuse_constant(name: str) -> Found:
    raise WeightsNotUsable("document", name, "numbers that JSON has")


def _multipliers(game: BlackjackGame, told: Found) -> MultiplierWeights:
    """By the number of cards of a round, how often it has so many, and which values."""
    numbers = {str(many): many for many in HOW_MANY}
    _some_of(MULTIPLIER_CARDS, told, numbers)
    rounds, values = {}, {}
    for name, one in told.items():
        path = f"{MULTIPLIER_CARDS}.{name}"
        _only(path, one, ("weight", "values"))
        rounds[numbers[name]] = _weight(f"{path}.weight", one["weight"])
        values[numbers[name]] = _weights(f"{path}.values", one["values"], game.multipliers)
    if not sum(rounds.values()):
        raise WeightsNotUsable(MULTIPLIER_CARDS, "no weight above 0", "one at least")
    return MultiplierWeights(rounds=rounds, values=values)


def _grids(game: BlackjackGame, told: Found) -> Mapping[str, GridWeights]:
    levels = game.bonus.levels if game.bonus else {}
    _only(BONUS_GRID, told, tuple(levels))
    return {name: _grid(f"{BONUS_GRID}.{name}", levels[name], told[name]) for name in levels}


def _grid(path: str, level: Level, told: Found) -> GridWeights:
    _only(path, told, _GRID)
    weights = GridWeights(
        fills=_chance(f"{path}.fills", told["fills"], least=_LEAST_CHANCE),
        cells=_weights(f"{path}.cells", told["cells"], level.cells),
        reveals=_chance(f"{path}.reveals", told["reveals"], least=0.0),
        boosts=_weights(f"{path}.boosts", told["boosts"], level.boosts, may_be_none=True),
        stars=_weights(f"{path}.stars", told["stars"], level.stars, may_be_none=True),
    )
    if weights.reveals and not sum((*weights.boosts.values(), *weights.stars.values())):
        needed = "a boost or star with a weight above 0, or 0"
        raise WeightsNotUsable(f"{path}.reveals", weights.reveals, needed)
    if not multiplier_chances(level, weights):
        raise WeightsNotUsable(path, "no grid that pays", f"a total of {level.least} at least")
    return weights


def _weights(
    path: str, told: Found, known: Iterable[str], *, may_be_none: bool = False
) -> Mapping[str, int]:
    """By what is shown, a whole number each; one of them above 0 unless there may be none."""
    _some_of(path, told, known)
    weights = {name: _weight(f"{path}.{name}", weight) for name, weight in told.items()}
    if not may_be_none and not sum(weights.values()):
        raise WeightsNotUsable(path, "no weight above 0", "one at least")
    return {name: weight for name, weight in weights.items() if weight}


def _weight(path: str, told: Found) -> int:
    if type(told) is not int or not 0 <= told <= _MOST:
        raise WeightsNotUsable(path, _shown(told), f"a whole number from 0 to {_MOST}")
    return told


def _chance(path: str, told: Found, *, least: float) -> float:
    if type(told) not in (int, float) or not least <= told <= 1:
        raise WeightsNotUsable(path, _shown(told), f"a number from {least:g} to 1")
    return float(told)


def _only(path: str, told: Found, names: Iterable[str]) -> None:
    """Refuses what is no object with exactly these fields."""
    _some_of(path, told, names)
    missing = [name for name in names if name not in told]
    if missing:
        raise WeightsNotUsable(_below(path, missing[0]), "nothing", "a value")


def _some_of(path: str, told: Found, names: Iterable[str]) -> None:
    """Refuses what is no object with some of these fields and no others."""
    if not isinstance(told, dict):
        raise WeightsNotUsable(path or "document", _shown(told), "an object")
    if foreign := [name for name in told if name not in names]:
        known = " or ".join(sorted(names, key=_by_number)) or "nothing there"
        raise WeightsNotUsable(_below(path, foreign[0]), "a field that is not known", known)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _by_number(name: str) -> tuple[float, str]:
    """Numbers by what they are worth, behind all names."""
    return (float(name), "") if name.replace(".", "", 1).isdigit() else (-1.0, name)


def _shown(told: Found) -> str:
    text = json.dumps(told)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
