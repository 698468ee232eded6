"""The rules are pure: the standard library, integers, and nothing that varies between runs."""

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

    def test_imports_only_the_standard_library_and_other_rules(self, module: Path) -> None:
        """So that the folder runs on its own."""
        imported = set(imported_by(ast.parse(module.read_text())))

        foreign = {
            name
            for name in imported
            if not name.startswith("rounds.rules")
            and name.partition(".")[0] not in sys.stdlib_module_names - NEVER
        }
        assert foreign == set()

    def test_has_no_float(self, module: Path) -> None:
        """Money is integer cents and odds are fractions."""
        assert list(floats_in(ast.parse(module.read_text()))) == []


def test_all_modules_are_checked() -> None:
    """The parametrization above is not empty."""
    names = {str(path.relative_to(RULES)) for path in MODULES}

    assert {"odds.py", "blackjack/pay.py", "baccarat/coup.py"} <= names
