"""The fields of structs."""

from typing import Any, NamedTuple, get_type_hints


class FieldInfo(NamedTuple):
    """A field: required unless it has a default."""

    name: str
    required: bool


def fields(document: Any) -> list[FieldInfo]:
    """The fields of a struct."""
    return [FieldInfo(name, not hasattr(document, name)) for name in get_type_hints(document)]
