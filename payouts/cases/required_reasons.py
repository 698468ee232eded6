"""Reasons that the platform itself uses, and which therefore cannot be retired."""

from typing import Final

from django.utils.functional import Promise

_NEEDED: Final[dict[str, str | Promise]] = {}


def need_reason(code: str, *, why: str | Promise) -> None:
    """Keeps the reason of this code in use; ``why`` is shown to a person who tries to retire it."""
    _NEEDED[code] = why


def why_needed(code: str) -> str | Promise | None:
    """Why the reason must stay in use; None if only persons use it."""
    return _NEEDED.get(code)
