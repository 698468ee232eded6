"""Copies of the regulator's script in memory, each with one refusal switched off.

``script_refusals`` finds them in the source, so that a new one without an attack is found as well.
"""

import ast
import contextlib
import csv
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest

from compliance.exports import verify_bundle

_SOURCE: Final = Path(verify_bundle.__file__)
_NAME: Final = "switched_off"
NOWHERE: Final = range(0)
TREE: Final = ast.parse(_SOURCE.read_text(encoding="utf-8"))


class Refusal(NamedTuple):
    """A place at which the script refuses something, and the ways to switch it off.

    It is needed if one of them accepts a forged file.
    """

    function: str
    text: str
    lines: range
    """Those on which the script stands when it refuses; empty for a predicate."""
    edits: tuple["Edit", ...]
    is_translation: bool = False
    """Whether it turns an error into words. Switched off, the error remains."""

    def __str__(self) -> str:
        return f"{self.function}: {self.text}"


class Edit(NamedTuple):
    """Puts another node in the place of one."""

    statement: ast.stmt
    """The function or class of the module that is compiled again."""
    parent: ast.AST
    field: str
    place: int | None
    node: ast.AST

    def _put(self, node: Any) -> Any:
        held = getattr(self.parent, self.field)
        if self.place is None:
            setattr(self.parent, self.field, node)
            return held
        before, held[self.place] = held[self.place], node
        return before

    def compiled(self) -> CodeType:
        """The function or class with the other node."""
        before = self._put(ast.fix_missing_locations(ast.copy_location(self.node, _place(self))))
        try:
            return compile(ast.Module([self.statement], []), str(_SOURCE), "exec")
        finally:
            self._put(before)


def _place(edit: Edit) -> ast.AST:
    held = getattr(edit.parent, edit.field)
    found: ast.AST = held if edit.place is None else held[edit.place]
    return found


SMALL_MEMORY: Final = 1 << 20
"""Octets of what the script reads as a whole, instead of its 64 MiB: every copy reads it."""


class Outcome(NamedTuple):
    """What the script says about a file, and the lines on which it stood when it refused it."""

    status: int | None
    """None if it stopped with an error."""
    last_line: str
    lines: frozenset[int]

    @property
    def is_accepted(self) -> bool:
        """Whether a regulator would rely on the file."""
        return self.status == 0


class Script:
    """The script, or a copy of it with an edit."""

    _code: Final = compile(TREE, str(_SOURCE), "exec")
    _answers: Final[dict[tuple[str | bytes, ...], "subprocess.CompletedProcess[str]"]] = {}

    def __init__(self, edit: Edit | None = None) -> None:
        self._names: dict[str, Any] = {"__name__": _NAME, "__file__": str(_SOURCE)}
        exec(self._code, self._names)  # noqa: S102  the script itself
        self._names["LARGEST_IN_MEMORY"] = SMALL_MEMORY
        if edit is not None:
            exec(edit.compiled(), self._names)  # noqa: S102  the script itself
        self._names["subprocess"] = SimpleNamespace(run=self._run_openssl)
        self._stood_on: frozenset[int] = frozenset()
        self._names["Wrong"].__init__ = self._note

    def verdict(self, arguments: Sequence[str]) -> Outcome:
        """The outcome for a command line."""
        self._stood_on = frozenset()
        printed, longest = io.StringIO(), csv.field_size_limit()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
            patch.setattr(sys, "argv", [str(_SOURCE), *arguments])
            try:
                status = self._names["main"]()
            except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a copy does
                return Outcome(None, f"{type(error).__name__}: {error}", self._stood_on)
            finally:
                csv.field_size_limit(longest)
        return Outcome(status, self._verdict_in(printed.getvalue()), self._stood_on)

    @staticmethod
    def _verdict_in(printed: str) -> str:
        lines = [line for line in printed.splitlines() if line.startswith(("WRONG", "NOT PROVED"))]
        return (lines or printed.splitlines() or [""])[-1]

    def _note(self, *_words: object) -> None:
        frame, lines = sys._getframe(1), set()
        while frame.f_back is not None:
            if frame.f_code.co_filename == str(_SOURCE):
                lines.add(frame.f_lineno)
            frame = frame.f_back
        self._stood_on = frozenset(lines)

    def _run_openssl(
        self, command: list[str], *, check: bool, **how: Any
    ) -> "subprocess.CompletedProcess[str]":
        """Asks openssl once about the same files."""
        files = [Path(word) for word in command]
        question = tuple(
            file.read_bytes() if file.is_absolute() and str(file) != os.devnull else str(file)
            for file in files
        )
        if question not in self._answers:
            self._answers[question] = subprocess.run(command, check=check, **how)
        return self._answers[question]
