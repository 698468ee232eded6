"""``make mutants`` on a tiny package: what is killed, what survives, and what runs again."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from casino.embedded.server_paths import CLONE
from tests.mutants.deletions import behaviour_of, deletions
from tests.mutants.mutant import Place, mutant_of

_MODULE = """
from functools import cache, cached_property

LIMIT = 3


class Stake:
    def __init__(self, cents):
        self.cents = cents

    @property
    def twice(self):
        return self.cents * 2

    @cached_property
    def half(self):
        return self.cents // 2


@cache
def is_allowed(cents):
    return cents <= LIMIT


def table_up_to(limit):
    return {cents: cents <= limit for cents in range(10)}


TABLE = table_up_to(LIMIT)


def unused(cents):
    return cents + 1


def endless(cents):
    while cents > 0:
        cents -= 1
    return cents
"""
_TESTS = """
from tiny.stakes import LIMIT, TABLE, Stake, endless, is_allowed


def test_limit():
    assert LIMIT == 3
    assert is_allowed(3)
    assert not is_allowed(4)
    assert TABLE[3] and not TABLE[4]


def test_stake():
    assert (Stake(4).twice, Stake(4).half) == (8, 2)


def test_endless():
    assert endless(2) == 0
"""
_TARGETS = """
from typing import NamedTuple

class Target(NamedTuple):
    tests: tuple[str, ...]
    seconds: int = 3

    @property
    def arguments(self):
        return ["-q", "-s", "-p", "no:cacheprovider", *self.tests]

TARGETS = {"tiny": Target(("tests/tiny",))}
"""


class Casino:
    """A folder with a package, its tests and a copy of the command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        copy = folder / "tests" / "mutants"
        shutil.copytree(CLONE / "tests" / "mutants", copy)
        (copy / "targets.py").write_text(_TARGETS)
        (copy / "survivors.toml").unlink()
        for file, text in (
            ("tests/__init__.py", ""),
            ("tiny/__init__.py", ""),
            ("tiny/stakes.py", _MODULE),
            ("tests/tiny/test_stakes.py", _TESTS),
        ):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text)

    def run(self, *changes: tuple[str, str]) -> "subprocess.CompletedProcess[str]":
        """The command, with a mutant for each pair of a text and its replacement."""
        mutants = [
            mutant_of("tiny/stakes.py", _MODULE, _MODULE.replace(*change, 1)) for change in changes
        ]
        (self.folder / "mutants.jsonl").write_text("".join(json.dumps(m) + "\n" for m in mutants))
        command = ["-m", "tests.mutants", "tiny", "--folder", ".", "--processes", "1"]
        return subprocess.run(
            [sys.executable, *command],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(self.folder)},
        )

    def verdicts(self) -> list[tuple[str, str]]:
        """What was kept of the runs: verdicts, and the files of the failed tests."""
        lines = (self.folder / "results.jsonl").read_text().splitlines()
        return [(result[2], result[3]) for result in map(json.loads, lines)]


@pytest.fixture
def casino(tmp_path: Path) -> Casino:
    """Whose mutants have not run."""
    return Casino(tmp_path)


_KILLED = ("killed", "tests/tiny/test_stakes.py")
_IN_FUNCTIONS = (
    ("cents * 2", "cents * 3"),
    ("cents // 2", "cents // 3"),
    ("<= LIMIT", "< LIMIT"),
    ("<= limit", "< limit"),
)
_AT_IMPORT = (
    ("LIMIT = 3", "LIMIT = 4"),
    ("    @property\n", ""),
    ("class Stake:", "class Stake(None):"),
)


class TestARun:
    @pytest.mark.slow
    def test_kills_what_a_test_notices(self, casino: Casino) -> None:
        """Behind a property and caches, called or run at import; one cannot be imported at all."""
        run = casino.run(*_IN_FUNCTIONS, *_AT_IMPORT)

        assert run.returncode == 0, run.stdout + run.stderr
        assert casino.verdicts() == [*[_KILLED] * 6, ("killed", "")]

    def test_lists_survivors_as_lines_to_declare(self, casino: Casino) -> None:
        """A reason ends the complaint; another one is out of date."""
        change = ("cents + 1", "cents - 1")

        first = casino.run(change)
        [line] = [line for line in first.stdout.splitlines() if "stakes.py" in line]
        old = line.replace("cents - 1", "cents * 1")
        declared = f'[[survivors]]\nreason = "nobody calls it"\nplaces = [\n{line}\n{old}\n]\n'
        (casino.folder / "tests/mutants/survivors.toml").write_text(declared)
        second = casino.run(change)

        assert (first.returncode, second.returncode) == (1, 0), second.stdout + second.stderr
        assert "1 survived without one" in first.stdout
        assert "1 survived with a reason" in second.stdout
        assert "no survivor needs any more: tiny/stakes.py | unused" in second.stdout

    @pytest.mark.slow
    def test_goes_on_where_the_last_one_ended(self, casino: Casino) -> None:
        """A survivor runs again once there is another test, and so does not what was killed."""
        changes = (("cents + 1", "cents - 1"), ("cents * 2", "cents * 3"))

        casino.run(changes[0])
        casino.run(*changes)
        more = "from tiny.stakes import unused\n\ndef test_unused():\n    assert unused(1) == 2\n"
        (casino.folder / "tests/tiny/test_more.py").write_text(more)
        last = casino.run(*changes)

        assert last.returncode == 0, last.stdout + last.stderr
        killed = ("killed", "tests/tiny/test_more.py")
        assert casino.verdicts() == [("survived", ""), _KILLED, killed]

    def test_proves_nothing_if_the_tests_fail_without_a_change(self, casino: Casino) -> None:
        """Every mutant would count as killed."""
        (casino.folder / "tests/tiny/test_more.py").write_text("def test_it():\n    assert 0\n")

        run = casino.run(("cents * 2", "cents * 3"))

        assert run.returncode == 2
        assert "NOT RUN" in run.stdout
        assert not (casino.folder / "results.jsonl").exists()

    @pytest.mark.slow
    def test_ends_a_mutant_that_does_not_end(self, casino: Casino) -> None:
        """After three seconds of the processor's time, here."""
        run = casino.run(("cents -= 1", "cents -= 0"))

        assert run.returncode == 0, run.stdout + run.stderr
        assert casino.verdicts() == [("killed by time", "")]


class TestAMutant:
    def test_is_known_by_its_texts(self) -> None:
        """A line above does not change them."""
        changed = _MODULE.replace("cents * 2", "cents * 3")

        mutant = mutant_of("tiny/stakes.py", "\n" + _MODULE, "\n" + changed)

        before, after = "return self.cents * 2", "return self.cents * 3"
        assert mutant.place == Place("tiny/stakes.py", "Stake.twice", before, after)

    def test_of_a_removed_line_is_known_by_that_line(self) -> None:
        """And by its function."""
        mutant = mutant_of("a.py", _MODULE, _MODULE.replace("@property\n    ", ""))

        assert mutant.place == Place("a.py", "Stake.twice", "@property", "")

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("def f(a: int | None) -> int | None: ...", "def f(a: int + None) -> int - None: ..."),
            ("x: int | None = 1", "x: int & None = 1"),
            ("x = 2 + 2", "x = 2 * 2"),
            ("x = 1", "x =  1"),
        ],
    )
    def test_of_an_annotation_or_the_form_alone_is_none(self, before: str, after: str) -> None:
        """No test could notice it."""
        assert behaviour_of(before) == behaviour_of(after)

    @pytest.mark.parametrize(("before", "after"), [("x = 1", "x = True"), ("f(1)", "f(2)")])
    def test_of_anything_else_is_one(self, before: str, after: str) -> None:
        """1 equals True, and is another constant."""
        assert behaviour_of(before) != behaviour_of(after)


def test_each_simple_statement_of_a_function_is_deleted() -> None:
    """Not its documentation, and nothing outside of functions."""
    source = (
        'X = 1\ndef f():\n    """Text."""\n    a = "è"; b = (\n        1)\n'
        "    if a:\n        return b\n"
    )

    assert list(deletions(source)) == [
        source.replace('a = "è"', "pass"),
        source.replace("b = (\n        1)", "pass"),
        source.replace("return b", "pass"),
    ]


@pytest.mark.slow
def test_the_generator_replaces_operators_numbers_and_statements(tmp_path: Path) -> None:
    """No annotation, and no comparison of the identity of numbers."""
    module = tmp_path / "a.py"
    module.write_text("def f(a: int | None) -> bool:\n    return a < 1\n")

    printed = subprocess.run(
        [Path(sys.prefix) / "mutants" / "bin" / "python", "-m", "tests.mutants.generate", module],
        capture_output=True,
        text=True,
        check=True,
        cwd=CLONE,
    ).stdout

    comparisons = {f"return a {operator} 1" for operator in ("==", "!=", "<=", ">", ">=")}
    others = {"return a < 2", "return a < 0", "pass"}
    mutated = [place[3] for place, _source in map(json.loads, printed.splitlines())]
    assert sorted(mutated) == sorted(comparisons | others)
