"""A changed module, and the texts by which people and the results know it."""

import ast
import hashlib
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple


class Place(NamedTuple):
    """What was changed, without line numbers: these move with every edit above."""

    path: str
    function: str
    """The qualified name of the innermost function or class; empty outside of them."""
    original: str
    mutated: str


class Mutant(NamedTuple):
    """One changed module."""

    place: Place
    source: str

    @property
    def digest(self) -> str:
        """Of the changed module."""
        return hashlib.sha256(self.source.encode()).hexdigest()


def mutant_of(path: str, before: str, after: str) -> Mutant:
    """The mutant of a module of which a few lines differ."""
    old, new = before.splitlines(), after.splitlines()
    first = _equal(old, new)
    last = _equal(
        old[: first - 1 if first else None : -1], new[: first - 1 if first else None : -1]
    )
    original, mutated = (
        " ".join(line.strip() for line in lines[first : len(lines) - last]) for lines in (old, new)
    )
    return Mutant(Place(path, _function_at(before, first + 1), original, mutated), after)


def _equal(some: list[str], others: list[str]) -> int:
    """How many lines are equal at the beginning."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False))])


def _function_at(source: str, line: int) -> str:
    """The innermost function or class that contains the line."""
    names = [name for name, first, last in _scopes(ast.parse(source)) if first <= line <= last]
    return names[-1] if names else ""


def _scopes(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int, int]]:
    """Functions and classes with their first and last line, decorators included, outer first."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield prefix + node.name, first, node.end_lineno or node.lineno
            yield from _scopes(node, f"{prefix}{node.name}.")
        else:
            yield from _scopes(node, prefix)
