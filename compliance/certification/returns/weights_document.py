"""Parses and validates the JSON document of an operator's weights.

``docs/certification.md`` describes its fields. Every value has to be one that the sheet allows.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from compliance.certification.returns.bonus_grid import GridWeights, multiplier_chances
from compliance.certification.returns.multiplier_weights import MultiplierWeights
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
_EXCERPT_LENGTH: Final = 60
"""Maximum length of an invalid value in an error message."""
_GRID: Final = ("fills", "cells", "reveals", "boosts", "stars")

Json = Any
"""Any JSON value."""


class InvalidWeights(Exception):
    """The weights document is invalid; ``field`` names the invalid field."""

    def __init__(self, field: str, found: object, needed: str) -> None:
        super().__init__(f"{field}: found {found}; needed {needed}")
        self.field = field


class OperatorWeights(NamedTuple):
    """The weights of a rule set: either of multiplier cards or of the grids of all levels."""

    rules: RuleSet
    multipliers: MultiplierWeights | None = None
    grids: Mapping[str, GridWeights] | None = None


def weighted_rule_sets() -> tuple[RuleSet, ...]:
    """The rule sets whose returns depend on weights."""
    return tuple(rules for rules in RULE_SETS.values() if _field_of(rules))


def read_weights(text: str | bytes) -> OperatorWeights:
    """Parses a weights document. Raises InvalidWeights."""
    document = _json_of(text)
    named = document.get("rules") if isinstance(document, dict) else None
    rules = RULE_SETS.get(named) if isinstance(named, str) else None
    field = _field_of(rules) if rules else ""
    if rules is None or not field:
        allowed = " or ".join(rules_.name for rules_ in weighted_rule_sets())
        raise InvalidWeights("rules", _excerpt(named), allowed)
    _check_fields("", document, ("format", "rules", field))
    if document["format"] != FORMAT:
        raise InvalidWeights("format", _excerpt(document["format"]), FORMAT)
    game = _game_of(rules)
    if field == MULTIPLIER_CARDS:
        return OperatorWeights(rules, multipliers=_multipliers(game, document[field]))
    return OperatorWeights(rules, grids=_grids(game, document[field]))


def _game_of(rules: RuleSet) -> BlackjackGame:
    game = rules.declaration
    if not isinstance(game, BlackjackGame):
        raise TypeError(f"{rules.name} is no blackjack")
    return game


def _field_of(rules: RuleSet) -> str:
    """The name of the document's content field; empty where the rule set needs no weights."""
    if rules.multiplier_cards:
        return MULTIPLIER_CARDS
    return BONUS_GRID if rules.bonus_levels else ""


def _json_of(text: str | bytes) -> Json:
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidWeights("document", f"no JSON ({error})", "one JSON object") from None


def _unique_keys(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    fields: dict[str, Json] = {}
    for name, value in pairs:
        if name in fields:
            raise InvalidWeights(name, "it twice in one object", "it once")
        fields[name] = value
    return fields


def _reject_constant(name: str) -> Json:
    raise InvalidWeights("document", name, "numbers that JSON has")


def _multipliers(game: BlackjackGame, value: Json) -> MultiplierWeights:
    """Weights by the number of multiplier cards per round."""
    numbers = {str(many): many for many in HOW_MANY}
    _check_known_fields(MULTIPLIER_CARDS, value, numbers)
    rounds, values = {}, {}
    for name, weights in value.items():
        path = f"{MULTIPLIER_CARDS}.{name}"
        _check_fields(path, weights, ("weight", "values"))
        rounds[numbers[name]] = _weight(f"{path}.weight", weights["weight"])
        values[numbers[name]] = _weights(f"{path}.values", weights["values"], game.multipliers)
    if not sum(rounds.values()):
        raise InvalidWeights(MULTIPLIER_CARDS, "no weight above 0", "one at least")
    return MultiplierWeights(rounds=rounds, values=values)


def _grids(game: BlackjackGame, value: Json) -> Mapping[str, GridWeights]:
    levels = game.bonus.levels if game.bonus else {}
    _check_fields(BONUS_GRID, value, tuple(levels))
    return {name: _grid(f"{BONUS_GRID}.{name}", levels[name], value[name]) for name in levels}


def _grid(path: str, level: Level, value: Json) -> GridWeights:
    _check_fields(path, value, _GRID)
    weights = GridWeights(
        fills=_chance(f"{path}.fills", value["fills"], least=_LEAST_CHANCE),
        cells=_weights(f"{path}.cells", value["cells"], level.cells),
        reveals=_chance(f"{path}.reveals", value["reveals"], least=0.0),
        boosts=_weights(f"{path}.boosts", value["boosts"], level.boosts, may_be_none=True),
        stars=_weights(f"{path}.stars", value["stars"], level.stars, may_be_none=True),
    )
    if weights.reveals and not sum((*weights.boosts.values(), *weights.stars.values())):
        needed = "a boost or star with a weight above 0, or 0"
        raise InvalidWeights(f"{path}.reveals", weights.reveals, needed)
    if not multiplier_chances(level, weights):
        raise InvalidWeights(path, "no grid that pays", f"a total of {level.least} at least")
    return weights


def _weights(
    path: str, value: Json, allowed: Iterable[str], *, may_be_none: bool = False
) -> Mapping[str, int]:
    """Integer weights by name; at least one above 0 unless ``may_be_none``."""
    _check_known_fields(path, value, allowed)
    weights = {name: _weight(f"{path}.{name}", weight) for name, weight in value.items()}
    if not may_be_none and not sum(weights.values()):
        raise InvalidWeights(path, "no weight above 0", "one at least")
    return {name: weight for name, weight in weights.items() if weight}


def _weight(path: str, value: Json) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise InvalidWeights(path, _excerpt(value), f"a whole number from 0 to {_MOST}")
    return value


def _chance(path: str, value: Json, *, least: float) -> float:
    if type(value) not in (int, float) or not least <= value <= 1:
        raise InvalidWeights(path, _excerpt(value), f"a number from {least:g} to 1")
    return float(value)


def _check_fields(path: str, value: Json, names: Iterable[str]) -> None:
    """Raises InvalidWeights unless the value is an object with exactly these fields."""
    _check_known_fields(path, value, names)
    missing = [name for name in names if name not in value]
    if missing:
        raise InvalidWeights(_below(path, missing[0]), "nothing", "a value")


def _check_known_fields(path: str, value: Json, names: Iterable[str]) -> None:
    """Raises InvalidWeights unless the value is an object with no other fields than these."""
    if not isinstance(value, dict):
        raise InvalidWeights(path or "document", _excerpt(value), "an object")
    if foreign := [name for name in value if name not in names]:
        allowed = " or ".join(sorted(names, key=_by_number)) or "nothing there"
        raise InvalidWeights(_below(path, foreign[0]), "a field that is not known", allowed)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _by_number(name: str) -> tuple[float, str]:
    """Sort key: names first, then numbers by value."""
    return (float(name), "") if name.replace(".", "", 1).isdigit() else (-1.0, name)


def _excerpt(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) <= _EXCERPT_LENGTH else f"{text[:_EXCERPT_LENGTH]}…"
