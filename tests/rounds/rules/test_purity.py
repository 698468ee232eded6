"""The rules are pure: the standard library, integers, and nothing that differs from run to run."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rounds.rules

RULES = Path(rounds.rules.__file__).parent
MODULES = sorted(RULES.rglob("*.py"))
NEVER = {"time", "random", "secrets", "os", "socket", "subprocess", "threading", "uuid"}
"""Of the standard library, what would make a verdict depend on more than the round."""


def imported_by(tree: ast.AST) -> Iterator[str]:
    """The name of every module that the code imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield node.module or ""


def floats_in(tree: ast.AST) -> Iterator[int]:
    """The line of every float, of every true division and of every call that makes one."""
    for node in ast.walk(tree):
        if (
            (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
            or (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
            or (isinstance(node, ast.Call) and ast.unparse(node.func) in {"float", "round"})
        ):
            yield node.lineno


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(RULES)))
class TestAModuleOfTheRules:
    """It imports nothing but the standard library, and has no float."""

    def test_imports_the_standard_library_and_other_rules_alone(self, module: Path) -> None:
        """So that a mathematician can take the folder and run it."""
        imported = set(imported_by(ast.parse(module.read_text())))

        foreign = {
            name
            for name in imported
            if not name.startswith("rounds.rules")
            and name.partition(".")[0] not in sys.stdlib_module_names - NEVER
        }
        assert foreign == set()

    def test_has_no_float(self, module: Path) -> None:
        """Money is integer cents and odds are fractions: nothing is ever nearly right."""
        assert list(floats_in(ast.parse(module.read_text()))) == []


def test_all_modules_are_looked_at() -> None:
    """The parametrisation above is not empty by a mistake in the path."""
    names = {str(path.relative_to(RULES)) for path in MODULES}

    assert {"odds.py", "blackjack/pay.py", "baccarat/coup.py"} <= names
