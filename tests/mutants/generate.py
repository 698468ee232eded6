"""The mutants of modules and folders as JSON lines; runs in the environment of `make mutants`."""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutants.deletions import behaviour_of, deletions
from tests.mutants.mutant import Mutant, mutant_of

_WITHOUT: Final = {"VariableReplacer", "VariableInserter"}
"""They need the names of variables."""
_IDENTITY: Final = ("_Is", "_IsNot")
"""Instead of another comparison they compare the identity of small numbers and texts."""
_EQUALITY: Final = ("_Is_Eq", "_IsNot_NotEq")
"""None and the members of an enumeration are equal to themselves alone."""


def main() -> None:
    """Prints the mutants of the modules and folders that are named."""
    for named in map(Path, sys.argv[1:]):
        for path in sorted(named.rglob("*.py")) if named.is_dir() else [named]:
            for mutant in mutants_of(path.as_posix(), path.read_text()):
                print(json.dumps(mutant), flush=True)


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Each changed behaviour once."""
    lines = source.splitlines(keepends=True)
    for first, last in _parts(source):
        part = "".join(lines[first:last])
        known = {behaviour_of(part)}
        for changed in [*_replacements(part), *deletions(part)]:
            try:
                behaviour = behaviour_of(changed)
            except SyntaxError:
                continue
            if behaviour not in known:
                known.add(behaviour)
                after = "".join([*lines[:first], changed, *lines[last:]])
                yield mutant_of(path, source, after)


def _parts(source: str) -> Iterator[tuple[int, int]]:
    """The lines of each statement of the module: parsing one takes less than parsing all."""
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(each.lineno for each in decorators)])
            yield first - 1, node.end_lineno or node.lineno


def _replacements(part: str) -> Iterator[str]:
    """What the operators of cosmic-ray make of a part of a module."""
    nodes = [*ast_nodes(get_ast(part))]
    for name in operator_names():
        short = name.rpartition("/")[2]
        identity = short.endswith(_IDENTITY) and not short.endswith(("Is_IsNot", "IsNot_Is"))
        if short not in _WITHOUT and not identity and not short.endswith(_EQUALITY):
            operator = get_operator(name)()
            positions = sum(1 for node in nodes for _each in operator.mutation_positions(node))
            for occurrence in range(positions):
                changed = mutate_code(part, operator, occurrence)
                if changed is not None:
                    yield changed


if __name__ == "__main__":
    main()
