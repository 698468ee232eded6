"""Reasons that a part of the platform decides for: they stay in use as long as it is there."""

from typing import Final

from django.utils.functional import Promise

_NEEDED: Final[dict[str, str | Promise]] = {}


def need_reason(code: str, *, why: str | Promise) -> None:
    """Has the reason of this code stay in use; ``why`` is said to whoever would retire it."""
    _NEEDED[code] = why


def why_needed(code: str) -> str | Promise | None:
    """Why the reason has to stay in use; None where nothing but persons decides for it."""
    return _NEEDED.get(code)
