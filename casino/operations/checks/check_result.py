"""What a check finds."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    """It works, and somebody should look."""
    ERROR = "error"


class CheckResult(NamedTuple):
    """What a check found and needed. Both may be shown to strangers: no addresses, no names."""

    state: State
    found: str
    needed: str
    todo: str = ""
    """What to do about it; empty if nothing is to be done."""
    detail: str = ""
    """More, for the operator only."""


Check = Callable[[], CheckResult]


def ok(found: str, needed: str) -> CheckResult:
    """It is as it should be."""
    return CheckResult(State.OK, found, needed)


def warning(found: str, needed: str, todo: str, *, detail: str = "") -> CheckResult:
    """It works, and somebody should look."""
    return CheckResult(State.WARNING, found, needed, todo, detail)


def error(found: str, needed: str, todo: str, *, detail: str = "") -> CheckResult:
    """It does not work, or is not safe."""
    return CheckResult(State.ERROR, found, needed, todo, detail)


def run_check(check: Check) -> CheckResult:
    """What the check finds. One that cannot be made is an error, too."""
    try:
        return check()
    except Exception as failure:  # noqa: BLE001  whatever is wrong with an installation
        return error(
            "it cannot be checked",
            "an answer",
            "repair what the earlier lines name, or this",
            detail=f"{type(failure).__name__}: {failure}".strip(),
        )
