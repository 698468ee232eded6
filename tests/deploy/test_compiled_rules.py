"""The rules as machine code: `make compiled`, and which form a process uses."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from casino.embedded.server_paths import CLONE, ServerPaths
from rounds.released_rules.compiled_rules import RulesForm

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
_FORM: Final = "import rounds; print(rounds.RULES_FORM.name)"
_KIND: Final = """
from rounds.rules.blackjack.judge import judge
print(type(judge).__name__)
"""
_TESTS: Final = ("tests/rounds/rules", "tests/rounds/contract", "tests/rounds/test_replay.py")
_EVERYTHING: Final = """
import django
django.setup()
import benchmarks.parts, casino.urls
print("imported")
"""
Run = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the package; a C compiler is there wherever the tests run.

    The first of the run's xdist workers that needs it compiles for the others.
    """
    mine = tmp_path_factory.getbasetemp()
    folder = (mine if worker_id == "master" else mine.parent) / "compiled"
    with ServerPaths(folder).locked():
        if not (folder / "site").exists():
            _compile(folder)
    return folder / "site"


def _compile(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "deploy.compiled_rules", folder], cwd=CLONE, check=True)
    [wheel] = folder.glob("*.whl")
    options = ("--quiet", "--no-deps", "--no-index", "--target", folder / "site", wheel)
    subprocess.run([sys.executable, "-m", "pip", "install", *options], check=True)


@pytest.fixture
def run(installed: Path) -> Run:
    """Runs Python with the package installed; gives what it prints."""

    def run(program: str, *, clone: Path = CLONE, setting: str = "") -> str:
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd=clone,
            env={**os.environ, "PYTHONPATH": str(installed), "COMPILED_RULES": setting},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.strip()

    return run


class TestTheCompiledRules:
    def test_are_used(self, run: Run) -> None:
        """Functions of machine code."""
        assert run(_FORM) == RulesForm.COMPILED.name
        assert run(_KIND) == "builtin_function_or_method"

    def test_pass_the_tests_of_the_rules(self, installed: Path) -> None:
        """Among them the sealed rule sets and the golden cases."""
        environment = {name: it for name, it in os.environ.items() if name[:7] != "PYTEST_"}
        completed = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "not slow", *_TESTS],
            cwd=CLONE,
            env={**environment, "PYTHONPATH": str(installed), "COMPILED_RULES": "yes"},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )

        assert completed.returncode == 0, completed.stdout[-3_000:]

    def test_are_used_by_everything(self, run: Run) -> None:
        """Nothing needs the rules as source: pages, tasks, certificates, benchmarks."""
        assert run(_EVERYTHING) == "imported"


class TestTheSources:
    @pytest.mark.parametrize("setting", ["no", "No", "0"])
    def test_are_used_if_the_operator_says_so(self, run: Run, setting: str) -> None:
        """COMPILED_RULES=no."""
        assert run(_FORM, setting=setting) == RulesForm.SWITCHED_OFF.name
        assert run(_KIND, setting=setting) == "function"

    def test_are_used_if_another_one_was_compiled(self, run: Run, tmp_path: Path) -> None:
        """A line more in one of them, and all modules are read from their source."""
        shutil.copytree(CLONE / "rounds", tmp_path / "rounds")
        with (tmp_path / "rounds/rules/odds.py").open("a") as file:
            file.write("# changed\n")

        assert run(_FORM, clone=tmp_path) == RulesForm.OTHER_SOURCES.name
        assert run(_KIND, clone=tmp_path) == "function"

    def test_are_used_if_nothing_is_installed(self, run: Run) -> None:
        """As after `make setup`."""
        hidden = "import sys; sys.modules['sabot_compiled_rules'] = None\n"

        assert run(hidden + _FORM) == RulesForm.NOT_INSTALLED.name
