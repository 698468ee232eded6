"""The lines that this process logs as JSON; the fixture is ``logged``."""

import json
from collections.abc import Callable
from typing import Any, Final

Lines = Callable[[], list[dict[str, Any]]]
PERSONAL: Final = ("giulia", "Rossi", "secret-word", "p-1", "192.0.2.7")


def parsed(text: str) -> list[dict[str, Any]]:
    """Each line is an object, and names nobody."""
    assert not [word for word in PERSONAL if word in text]
    return [json.loads(line) for line in text.splitlines()]


def finished(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The one line of a finished request."""
    [line] = [line for line in lines if line["logger"] == "casino.requests"]
    return line
