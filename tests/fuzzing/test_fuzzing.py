"""Some executions of each target by the fuzzer, and what it does with a finding."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzzing.target import ROOT
from tests.fuzzing.targets import TARGETS
from tests.repetitions import repeated

_EXECUTIONS = 2_000


def fuzzed(folder: Path, *arguments: str, cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    """``make fuzz`` with these arguments."""
    command = [sys.executable, "-m", "tests.fuzzing", "--folder", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_no_execution_is_a_finding(name: str, tmp_path: Path) -> None:
    """From the seeds on; ``make fuzz`` goes on from what it has kept."""
    wanted = repeated(_EXECUTIONS)

    run = fuzzed(tmp_path, "--executions", str(wanted), name)

    assert run.returncode == 0, run.stdout + run.stderr
    assert int((tmp_path / name / "executions").read_text()) >= wanted


_ALARM = """
from tests.fuzzing.target import Target

def check(data):
    if data[:1] == b"F":
        if data[1:2] == b"U":
            if data[2:3] == b"Z":
                if data[3:4] == b"!":
                    raise ValueError("found")

TARGET = Target(check, lambda: [b"word"])
"""
"""Four octets that chance finds in four billion executions, and branches one by one."""


@pytest.mark.slow
def test_a_finding_is_reported_with_its_file(tmp_path: Path) -> None:
    """The fuzzer is guided by branches; the file that it writes reproduces what it found."""
    copy = tmp_path / "tests" / "fuzzing"
    shutil.copytree(ROOT / "tests" / "fuzzing", copy, ignore=shutil.ignore_patterns("corpus"))
    (copy.parent / "__init__.py").touch()
    (copy / "targets" / "alarm.py").write_text(_ALARM)
    places = 'TARGETS = {"alarm": ("tests.fuzzing.targets.alarm",)}\n'
    (copy / "targets" / "__init__.py").write_text(places)

    run = fuzzed(tmp_path / "kept", "--executions", "2000000", cwd=tmp_path)

    assert run.returncode == 1, run.stdout + run.stderr
    [reported] = [line for line in run.stdout.splitlines() if line.startswith("FINDING in alarm")]
    assert Path(reported.rpartition("FILE=")[2]).read_bytes()[:4] == b"FUZ!"


def test_an_unknown_target_is_refused_by_name(tmp_path: Path) -> None:
    """With those that there are."""
    run = fuzzed(tmp_path, "nothing")

    assert run.returncode == 2
    assert "found nothing; needed one of api_bodies" in run.stderr
