"""Attacks without the guard that stops them: each guard must be needed."""

from collections.abc import Callable
from typing import Any

import pytest

Attack = Callable[..., None]


def succeeds_without(
    place: Any, guard: str, attack: Attack, *arguments: Any, passing: object = True
) -> None:
    """The attack's own test fails once the guard lets everything pass."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, guard, lambda *_, **__: passing)
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            attack(*arguments)
