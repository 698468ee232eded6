"""What ``rounds.feed`` uses of msgspec, for a Python without it.

The names of the fields are declared by its structs; every document is read by the careful reader.
"""

from typing import Any, Final


class MsgspecError(Exception):
    """No document is read fast."""


class UnsetType:
    """The type of an absent field."""


UNSET: Final = UnsetType()


class Meta:
    """A limit of a field, which the careful reader checks itself."""

    def __init__(self, **_limits: int) -> None:
        pass


class Struct:
    """Fields with their types."""

    def __init_subclass__(cls, **_options: bool) -> None:
        pass


def to_builtins(value: Any) -> Any:
    """The value itself; only the fast reader would call it."""
    return value


from msgspec import json, structs  # noqa: E402, F401  they need what is above
