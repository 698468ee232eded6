"""Ending together with the `make` that started this process."""

import os
import signal
from functools import cache
from pathlib import Path
from typing import Final

_INTERRUPT: Final = 1 << (signal.SIGINT - 1)


@cache
def is_child_of_make() -> bool:
    """Whether `make` started this process, and not a shell or a supervisor."""
    return _status_of_parent().get("Name") in {"make", "gmake"}


def make_was_interrupted() -> bool:
    """Whether `make` received a SIGINT that was sent to its process id alone.

    A terminal's Ctrl-C reaches this process too; such a SIGINT does not, and make waits for the end
    of its child. It no longer handles the signal then, which /proc shows.
    """
    if not is_child_of_make():
        return False
    status = _status_of_parent()
    handled = int(status.get("SigCgt", "0"), 16) | int(status.get("SigIgn", "0"), 16)
    return not handled & _INTERRUPT


def _status_of_parent() -> dict[str, str]:
    try:
        lines = Path(f"/proc/{os.getppid()}/status").read_text().splitlines()
    except FileNotFoundError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
