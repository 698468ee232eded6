"""Reads JSON into frozen dataclasses and checks each value.

Unknown fields are ignored, so that new fields of the API do not break the client.
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
from .shapes import HEADER

T = TypeVar("T")
_PARSERS: Final[Mapping[type, Callable[[str], object]]] = {
    dt.datetime: dt.datetime.fromisoformat,
    dt.date: dt.date.fromisoformat,
    UUID: UUID,
}


class Field(NamedTuple):
    """A field of a shape."""

    name: str
    shape: Any
    is_required: bool


@cache
def fields_of(shape: Any) -> tuple[Field, ...]:
    """The fields of a dataclass in the body; it may be generic, such as a page of bets."""
    plain = get_origin(shape) or shape
    hints = get_type_hints(plain)
    return tuple(
        Field(field.name, _resolve(hints[field.name], shape), field.default is MISSING)
        for field in fields(cast("Any", plain))
        if HEADER not in field.metadata
    )


def _resolve(hint: Any, shape: type) -> Any:
    return hint[get_args(shape)] if getattr(hint, "__parameters__", ()) else hint


def read(shape: type[T], data: object, place: str = "") -> T:
    """JSON data as a dataclass. Raises Unreadable with the JSON pointer of the place."""
    return cast("T", _read(shape, data, place))


def read_json(shape: type[T], text: bytes, place: str = "") -> T:
    """The same from JSON text."""
    try:
        data = json.loads(text)
    except ValueError:
        raise Unreadable(place, text, "JSON") from None
    return read(shape, data, place)


def _read(shape: Any, data: object, place: str) -> object:
    origin = get_origin(shape)
    if origin in (Union, UnionType):
        arms = [arm for arm in get_args(shape) if arm is not NoneType]
        inner = next((arm for arm in arms[1:] if type(data) is arm), arms[0])
        return None if data is None and len(arms) == 1 else _read(inner, data, place)
    if origin is tuple:
        return tuple(_items(get_args(shape)[0], data, place))
    if is_dataclass(origin or shape):
        return _object(cast("type", shape), data, place)
    if shape in _PARSERS:
        return _parse(shape, data, place)
    plain = origin or shape
    if shape is Any or (isinstance(data, plain) and isinstance(data, bool) == (plain is bool)):
        return data
    raise Unreadable(place, data, plain.__name__)


def _items(shape: Any, data: object, place: str) -> Iterator[object]:
    if not isinstance(data, list):
        raise Unreadable(place, data, "a list")
    for number, item in enumerate(data):
        yield _read(shape, item, f"{place}/{number}")


def _object(shape: type, data: object, place: str) -> object:
    if not isinstance(data, dict):
        raise Unreadable(place, data, f"an object, {shape.__name__}")
    values = {}
    for field in fields_of(shape):
        if field.name in data:
            values[field.name] = _read(field.shape, data[field.name], f"{place}/{field.name}")
        elif field.is_required:
            raise Unreadable(f"{place}/{field.name}", None, f"a field of {shape.__name__}")
    return shape(**values)


def _parse(shape: type, data: object, place: str) -> object:
    try:
        value = _PARSERS[shape](data)  # type: ignore[arg-type]  # no text raises TypeError
    except (TypeError, ValueError, AttributeError):
        raise Unreadable(place, data, f"a {shape.__name__}") from None
    if isinstance(value, dt.datetime) and value.tzinfo is None:
        raise Unreadable(place, data, "a time with its zone")
    return value
