"""Changes of single fields of a declaration: a pay table, a number, a yes or no. Pure.

A field is named by its place in the definition of the rule set: ``bets/tie/pays``,
``side_bets/21+3/pays/flush``, ``hits_soft_17``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rounds.rules.baccarat.judge import BaccaratGame
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.judge import judge as judge_blackjack
from rounds.rules.definition import text_of
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet

_YES_OR_NO: Final = {"yes": True, "no": False}
_MOST_DIGITS: Final = 9
_Path = tuple[str, ...]


class FieldChange(NamedTuple):
    """Another value of a field, written as in the definition: ``9:1``, ``17``, ``yes``."""

    rules: str
    field: str
    value: str


class BadChange(ValueError):
    """A change that cannot be analysed: what was found, and what is needed."""

    def __init__(self, field: str, found: object, needed: str) -> None:
        super().__init__(f"{field}: found {found}; needed {needed}")
        self.field, self.found, self.needed = field, found, needed


def with_changes(rules: RuleSet, changes: Iterable[FieldChange]) -> RuleSet:
    """The rule set with other values of these fields, under its name. Raises BadChange."""
    declared = rules.declaration
    for change in changes:
        path = tuple(change.field.split("/"))
        try:
            declared = _with_value(declared, path, change.value)
        except KeyError:
            needed = f"a field of {rules.name} that can be changed"
            raise BadChange("field", change.field, needed) from None
        except ValueError as error:
            raise BadChange(change.field, change.value, str(error)) from None
    return with_declaration(rules, declared)


def with_declaration(rules: RuleSet, declared: object) -> RuleSet:
    """The rule set that judges by another declaration of its kind of game."""
    if isinstance(declared, BaccaratGame):
        return replace(rules, decks=declared.decks, declaration=declared, judge=declared.judge)
    if isinstance(declared, BlackjackGame):
        judge = partial(judge_blackjack, declared)
        return replace(rules, decks=declared.decks, declaration=declared, judge=judge)
    raise TypeError(f"no judge for {declared!r}")


def changeable_fields(rules: RuleSet) -> dict[str, str]:
    """The fields of a rule set that can be changed, with their values as text."""
    return {"/".join(path): text for path, text in _leaves(rules.declaration)}


def _leaves(value: object) -> Iterator[tuple[_Path, str]]:
    parts = _parts_of(value)
    if parts is None:
        yield (), text_of(value) or ""
        return
    for name, part in parts.items():
        if _can_change(part):
            yield from (((name, *path), text) for path, text in _leaves(part))


def _can_change(value: object) -> bool:
    """Functions and names say what a bet is; another one would be another bet."""
    is_single = isinstance(value, Enum | Odds | int | frozenset | tuple) and value != ()
    return is_single or _parts_of(value) is not None


def _parts_of(value: Any) -> dict[str, object] | None:
    """The named parts of a value; None for a single one. A bet in a tuple is named by its kind."""
    if isinstance(value, Mapping):
        return {str(key): part for key, part in value.items()}
    if is_dataclass(value):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, Odds) or not isinstance(value, tuple):
        return None
    if hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    return {item.kind: item for item in value} if value and hasattr(value[0], "kind") else None


def _with_value(value: Any, path: _Path, text: str) -> object:
    """The value with another one at this place. Raises KeyError and ValueError."""
    parts = _parts_of(value)
    if not path:
        if parts is not None or not _can_change(value):
            raise KeyError(path)
        return _parsed(text.strip(), value)
    if parts is None:
        raise KeyError(path)
    name, *further = path
    part = _with_value(parts[name], tuple(further), text)
    if isinstance(value, Mapping):
        return MappingProxyType(
            {key: part if str(key) == name else it for key, it in value.items()}
        )
    if is_dataclass(value):
        return replace(value, **{name: part})  # type: ignore[type-var]
    if hasattr(value, "_fields"):
        return value._replace(**{name: part})
    return tuple(part if item.kind == name else item for item in value)


def _parsed(text: str, present: object) -> object:
    """The text as a value of the kind of the present one. Raises ValueError with what is needed."""
    match present:
        case bool():
            if text not in _YES_OR_NO:
                raise ValueError("yes or no")
            return _YES_OR_NO[text]
        case Enum():
            kinds = type(present).__members__
            if text not in kinds:
                raise ValueError(" or ".join(kinds))
            return kinds[text]
        case Odds():
            return _odds(text)
        case frozenset() | tuple():
            items = [item.strip() for item in text.split(",")] if text != "none" else []
            read: Callable[[str], object] = (
                str if any(isinstance(it, str) for it in present) else _number
            )
            return type(present)(map(read, items))
    return _number(text)


def _odds(text: str) -> Odds:
    won, colon, staked = text.partition(":")
    if not (colon and _is_number(won) and _is_number(staked) and int(staked)):
        raise ValueError("odds such as 3:2, won to staked")
    return Odds(int(won), int(staked))


def _number(text: str) -> int:
    if not _is_number(text):
        raise ValueError("a whole number")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def changed_fields(old: object, new: object) -> list[str]:
    """The fields in which two declarations of one kind differ."""
    before, after = _parts_of(old) or {}, _parts_of(new) or {}
    return [name for name, value in before.items() if value != after[name]]
