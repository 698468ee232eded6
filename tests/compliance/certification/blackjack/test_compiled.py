"""Compiled code is never older than any of its sources, and never that of other arguments.

Processes that need the same code at once compile it once.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from casino.embedded.server_paths import CLONE
from compliance.certification.returns.blackjack.jit_compiler import folder_of


class TestWhereCompiledCodeIsKept:
    def test_is_another_place_after_a_change_of_any_source(self, tmp_path: Path) -> None:
        """Compiled functions contain code of other files."""
        caller, called = tmp_path / "caller.py", tmp_path / "called.py"
        caller.write_text("calls")
        called.write_text("adds")
        before = folder_of([caller, called])

        called.write_text("subtracts")

        assert folder_of([caller, called]) != before


_IN_THE_WORST_ORDER = """
import sys, time
from numba.core.caching import IndexDataCacheFile
from compliance.certification.returns.blackjack.jit_compiler import compiled

def later(seconds, name):
    method = getattr(IndexDataCacheFile, name)
    def delayed(*arguments):
        time.sleep(seconds)
        return method(*arguments)
    setattr(IndexDataCacheFile, name, delayed)

if sys.argv[2:] == ["at once"]:  # both read the index; int, float write it; float, int their code
    later({"int": 1, "float": 1.4}[sys.argv[1]], "_save_index")
    later({"int": 1, "float": 0}[sys.argv[1]], "_save_data")

@compiled
def doubled(value):
    return value + value

print("ready", flush=True)
sys.stdin.readline()
print(doubled({"int": 3, "float": 1.5}[sys.argv[1]]))
"""
_THE_SAME = """
import sys
from compliance.certification.returns.blackjack.jit_compiler import compiled

@compiled
def added(value):
    return value + value

@compiled
def doubled(value):
    return added(value) + 0

print("ready", flush=True)
sys.stdin.readline()
doubled(3)
print(len(doubled.stats.cache_misses) + len(added.stats.cache_misses))
"""


@pytest.mark.slow
def test_processes_that_compile_at_once_do_not_mix_their_code(tmp_path: Path) -> None:
    """Each kind of argument has code of its own in the cache that they share."""
    program = tmp_path / "doubled.py"
    program.write_text(_IN_THE_WORST_ORDER)
    expected = {"int": "6", "float": "3.0"}

    assert _printed(program, expected, "at once") == expected
    assert _printed(program, expected) == expected


@pytest.mark.slow
def test_processes_that_need_the_same_code_compile_it_once(tmp_path: Path) -> None:
    """With what it calls; the others load it."""
    program = tmp_path / "the_same.py"
    program.write_text(_THE_SAME)

    assert sorted(_printed(program, ["one", "another", "third"]).values()) == ["0", "0", "2"]


def _printed(program: Path, kinds: Iterable[str], *how: str) -> dict[str, str]:
    """What processes that start together print, one for each of these arguments."""
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(program.parent), "PYTHONPATH": str(CLONE)}
    running = {
        kind: subprocess.Popen(
            [sys.executable, str(program), kind, *how],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for kind in kinds
    }
    for process in running.values():
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running.values():
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return {kind: process.communicate()[0].strip() for kind, process in running.items()}
