"""JSON as the frozen dataclasses that a shape declares, each value checked.

What a shape does not name is left out, so that an API that tells more breaks nobody.
"""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

from .problems import Unreadable

T = TypeVar("T")
HEADER: Final = "header"
"""In the metadata of a field: it is told by the header of this name, not in the body."""
_WRITTEN: Final[Mapping[type, Callable[[str], object]]] = {
    dt.datetime: dt.datetime.fromisoformat,
    dt.date: dt.date.fromisoformat,
    UUID: UUID,
}


class Field(NamedTuple):
    """A field of a shape."""

    name: str
    shape: Any
    is_needed: bool


@cache
def fields_of(shape: Any) -> tuple[Field, ...]:  # noqa: ANN401  a type, or an alias of one
    """What the body tells of a shape, which may be one of something: a page of bets."""
    plain = get_origin(shape) or shape
    hints = get_type_hints(plain)
    return tuple(
        Field(one.name, _of(hints[one.name], shape), one.default is MISSING)
        for one in fields(cast("Any", plain))
        if HEADER not in one.metadata
    )


def _of(hint: Any, shape: type) -> Any:  # noqa: ANN401  types, or aliases of some
    return hint[get_args(shape)] if getattr(hint, "__parameters__", ()) else hint


def read(shape: type[T], told: object, place: str = "") -> T:
    """What was told, in its shape. Raises Unreadable, naming the place as a JSON pointer."""
    return cast("T", _read(shape, told, place))


def read_json(shape: type[T], text: bytes, place: str = "") -> T:
    """The same of what was told as JSON."""
    try:
        told = json.loads(text)
    except ValueError:
        raise Unreadable(place, text, "JSON") from None
    return read(shape, told, place)


def _read(shape: Any, told: object, place: str) -> object:  # noqa: ANN401  a type, or an alias of one
    origin = get_origin(shape)
    if origin in (Union, UnionType):
        [one] = [arm for arm in get_args(shape) if arm is not NoneType]
        return None if told is None else _read(one, told, place)
    if origin is tuple:
        return tuple(_items(get_args(shape)[0], told, place))
    if is_dataclass(origin or shape):
        return _object(cast("type", shape), told, place)
    if shape in _WRITTEN:
        return _written(shape, told, place)
    plain = origin or shape
    if shape is Any or (isinstance(told, plain) and isinstance(told, bool) == (plain is bool)):
        return told
    raise Unreadable(place, told, plain.__name__)


def _items(shape: Any, told: object, place: str) -> Iterator[object]:  # noqa: ANN401  as above
    if not isinstance(told, list):
        raise Unreadable(place, told, "a list")
    for number, one in enumerate(told):
        yield _read(shape, one, f"{place}/{number}")


def _object(shape: type, told: object, place: str) -> object:
    if not isinstance(told, dict):
        raise Unreadable(place, told, f"an object, {shape.__name__}")
    found = {}
    for field in fields_of(shape):
        if field.name in told:
            found[field.name] = _read(field.shape, told[field.name], f"{place}/{field.name}")
        elif field.is_needed:
            raise Unreadable(f"{place}/{field.name}", None, f"a field of {shape.__name__}")
    return shape(**found)


def _written(shape: type, told: object, place: str) -> object:
    try:
        found = _WRITTEN[shape](told)  # type: ignore[arg-type]  # no text raises TypeError
    except (TypeError, ValueError, AttributeError):
        raise Unreadable(place, told, f"a {shape.__name__}") from None
    if isinstance(found, dt.datetime) and found.tzinfo is None:
        raise Unreadable(place, told, "a time with its zone")
    return found
