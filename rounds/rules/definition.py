"""A declaration written out as text, the same on every machine, so that its digest can be pinned.

Only what is declared is written: numbers, odds, names, and functions by their names. How the code
is arranged is not.

A field that has its default is left out. So a field that a later version of a game needs can be
added to a declaration, its default being what held before: no older definition changes by it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from types import FunctionType
from typing import Any, Final, TypeGuard

from rounds.rules.odds import Odds

_NO_DEFAULT: Final = object()
_PLAIN: Final = {None: "none", True: "yes", False: "no"}


def definition_of(declared: Mapping[str, object]) -> str:
    """Lines ``name: value`` in the order given; what is nested is indented by two spaces.

    TypeError for a value whose text would not be the same everywhere, such as an object of a class
    that is neither a dataclass nor a NamedTuple.
    """
    return "".join(f"{line}\n" for line in _lines_of(declared.items()))


def declared_fields(declaration: object) -> dict[str, object]:
    """The fields of a dataclass or a NamedTuple, in order, without those that have their default.

    TypeError for anything else.
    """
    return {
        name: getattr(declaration, name)
        for name, default in _defaults_of(declaration).items()
        if getattr(declaration, name) != default
    }


def _defaults_of(declaration: Any) -> dict[str, object]:  # noqa: ANN401  whatever declares itself
    if is_dataclass(declaration):
        return {each.name: each.default for each in fields(declaration)}
    if hasattr(declaration, "_field_defaults"):
        known: Mapping[str, object] = declaration._field_defaults
        return {name: known.get(name, _NO_DEFAULT) for name in declaration._fields}
    raise TypeError(f"{declaration!r} has no definite text")


def _lines_of(pairs: Iterable[tuple[object, object]]) -> Iterator[str]:
    for name, value in pairs:
        word = _word_of(value)
        if word is not None:
            yield f"{name}: {word}"
        else:
            yield f"{name}:"
            yield from (f"  {line}" for line in _lines_of(_parts_of(value)))


def _word_of(value: object) -> str | None:
    """A value that fits beside its name, None for one that has parts."""
    match value:
        case None | bool():
            return _PLAIN[value]
        case Enum():
            return value.name
        case FunctionType():
            return value.__name__
        case str() | int() | date() | Odds():
            return str(value)
    return _list_of(value)


def _list_of(value: object) -> str | None:
    """Words and numbers in a row, those of a set in order; ``none`` where there are none."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value), key=_numbers_first)) or "none"
    if _is_plain(value) and all(isinstance(one, str | int) for one in value):
        return ", ".join(map(str, value)) or "none"
    return "none" if value == {} else None


def _numbers_first(word: str) -> tuple[bool, int, str]:
    """Orders ``2`` before ``10``, and both before names."""
    return not word.isdigit(), len(word) if word.isdigit() else 0, word


def _is_plain(value: object) -> TypeGuard[tuple[object, ...]]:
    """Whether it is a tuple without names for its members."""
    return isinstance(value, tuple) and not hasattr(value, "_fields")


def _parts_of(value: object) -> Iterable[tuple[object, object]]:
    """Named parts as they are declared, keys in order, and the members of a sequence numbered."""
    if isinstance(value, Mapping):
        return sorted(value.items())
    if _is_plain(value):
        return enumerate(value, start=1)
    return declared_fields(value).items()
