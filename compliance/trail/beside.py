"""What else ``verify_trail`` verifies: packages above add it when they are loaded.

The trail knows nobody above it, and what an auditor runs is one command all the same.
"""

from collections.abc import Callable
from typing import Final

from django.utils.module_loading import import_string

Tell = Callable[[str], None]
"""Is told each thing that is wrong, in words."""

Verify = Callable[[Tell], str]
"""Looks at all of its own in the open transaction, tells what is wrong, gives how much it saw."""

_VERIFIED: Final[dict[str, None]] = {}


def verify_also(path: str) -> None:
    """Has ``verify_trail`` call the ``Verify`` of this dotted path as well, after all before it."""
    _VERIFIED[path] = None


def verify_beside(tell: Tell) -> list[str]:
    """Runs all that was added; gives how much each has looked at."""
    found: list[Verify] = [import_string(path) for path in _VERIFIED]
    return [verify(tell) for verify in found]
