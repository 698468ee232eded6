"""Errors of embedded servers, with messages for the person who started them."""

from pathlib import Path

_LINES_SHOWN = 12


class CannotStart(RuntimeError):
    """A server could not be started; the text says which, why and what to do."""


def last_lines(log: Path) -> str:
    """The end of a server's log, indented, for an error's text."""
    if not log.exists():
        return ""
    lines = log.read_text(errors="replace").splitlines()[-_LINES_SHOWN:]
    return "".join(f"\n    {line}" for line in lines)
