"""Serialization of declarations to deterministic text, for digests.

The text has the declared values: numbers, odds, names, and functions by name. It does not depend on
the structure of the code.

Fields with their default are omitted: a field for a later version can be added with the former rule
as its default without changing older definitions.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final, TypeGuard

from rounds.rules.odds import Odds

_NO_DEFAULT: Final = object()
_PLAIN: Final = {None: "none", True: "yes", False: "no"}


def definition_of(declared: Mapping[str, object]) -> str:
    """Lines ``name: value`` in this order; nested values are indented by two spaces.

    Raises TypeError for a value without deterministic text, such as an object that is neither a
    dataclass nor a NamedTuple.
    """
    return "".join(f"{line}\n" for line in _lines_of(declared.items()))


def declared_fields(declaration: object) -> dict[str, object]:
    """The fields of a dataclass or a NamedTuple, in order, without those with their default.

    Raises TypeError for any other object.
    """
    return {
        name: getattr(declaration, name)
        for name, default in _defaults_of(declaration).items()
        if getattr(declaration, name) != default
    }


def _defaults_of(declaration: Any) -> dict[str, object]:
    if is_dataclass(declaration):
        return {field.name: field.default for field in fields(declaration)}
    if hasattr(declaration, "_field_defaults"):
        known: Mapping[str, object] = declaration._field_defaults
        return {name: known.get(name, _NO_DEFAULT) for name in declaration._fields}
    raise TypeError(f"{declaration!r} has no definite text")


def _lines_of(pairs: Iterable[tuple[object, object]]) -> Iterator[str]:
    for name, value in pairs:
        text = text_of(value)
        if text is not None:
            yield f"{name}: {text}"
        else:
            yield f"{name}:"
            yield from (f"  {line}" for line in _lines_of(_parts_of(value)))


def text_of(value: object) -> str | None:
    """A value as one line, None for a value with parts."""
    match value:
        case None | bool():
            return _PLAIN[value]
        case Enum():
            return value.name
        case FunctionType() | BuiltinFunctionType():  # of source, or compiled
            return value.__name__
        case str() | int() | date() | Odds():
            return str(value)
    return _list_of(value)


def _list_of(value: object) -> str | None:
    """Items separated by commas, those of a set sorted; ``none`` for an empty collection."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value), key=_numbers_first)) or "none"
    if _is_plain(value) and all(isinstance(item, str | int) for item in value):
        return ", ".join(map(str, value)) or "none"
    return "none" if value == {} else None


def _numbers_first(text: str) -> tuple[bool, int, str]:
    """Orders ``2`` before ``10``, and both before names."""
    return not text.isdigit(), len(text) if text.isdigit() else 0, text


def _is_plain(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether it is a tuple but not a NamedTuple."""
    return isinstance(value, tuple) and not hasattr(value, "_fields")


def _parts_of(value: object) -> Iterable[tuple[object, object]]:
    """Declared fields, sorted keys of a mapping, or numbered items of a tuple."""
    if isinstance(value, Mapping):
        return sorted(value.items())
    if _is_plain(value):
        return enumerate(value, start=1)
    return declared_fields(value).items()
