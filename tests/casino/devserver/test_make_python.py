"""Which Python `make` selects for `.venv`, with stand-ins on the path that print a version.

Sabot's packages are pinned and have wheels for 3.11 to 3.14; a newer Python is tried with a
warning, an older one is refused.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from casino.embedded.server_paths import CLONE

STAND_IN = """#!/bin/sh
# Answers what the Makefile asks of a Python by the real one, under another version.
version={version}
case "$1" in
  -c) exec {python} -c "import sys
parts = tuple(int(part) for part in '$version'.split('.'))
sys.version, sys.version_info, sys.base_prefix = '$version (a stand-in)', parts, '/stand-in'
exec(sys.argv[1])" "$2" ;;
  -m) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
esac
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A folder with the programs the Makefile needs, without Python."""
    folder = tmp_path / "path"
    folder.mkdir()
    for program in ("make", "sh", "cat", "rm", "mkdir", "cp"):
        (folder / program).symlink_to(str(shutil.which(program)))
    shutil.copy(CLONE / "Makefile", tmp_path)
    return folder


def put(path: Path, name: str, version: str) -> None:
    """Adds a Python of this version to the path."""
    program = path / name
    python = os.path.realpath("/proc/self/exe")
    program.write_text(STAND_IN.format(version=version, python=python))
    program.chmod(0o755)


def make(path: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs make with these Pythons only."""
    return subprocess.run(
        [str(path / "make"), "--no-print-directory", *arguments, ".venv/.made"],
        cwd=path.parent,
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


class TestAPythonThatSabotIsTestedOn:
    @pytest.mark.parametrize("version", ["3.11.2", "3.12.1", "3.13.0", "3.14.0", "3.14.8"])
    def test_is_used_without_a_warning(self, path: Path, version: str) -> None:
        """3.11 to 3.14."""
        put(path, "python3", version)

        result = make(path)

        assert result.returncode == 0
        assert f"making .venv with Python {version}" in result.stdout
        assert "warning" not in result.stdout

    @pytest.mark.parametrize("other", ["3.10.13", "3.15.0"])
    def test_comes_before_another_python3(self, path: Path, other: str) -> None:
        """A tested version is preferred."""
        put(path, "python3", other)
        put(path, "python3.12", "3.12.1")

        result = make(path)

        assert result.returncode == 0
        assert "making .venv with Python 3.12.1" in result.stdout
        assert "warning" not in result.stdout


class TestANewerPython:
    @pytest.mark.parametrize("version", ["3.15.0", "3.16.1", "4.0.0"])
    def test_is_tried_with_a_warning(self, path: Path, version: str) -> None:
        """If no tested version is installed."""
        put(path, "python3", version)

        result = make(path)

        assert result.returncode == 0
        assert "warning: Sabot is tested on Python 3.11 to 3.14" in result.stdout
        assert f"python3 is {version}" in result.stdout
        assert f"making .venv with Python {version}" in result.stdout

    def test_is_tried_where_it_was_named(self, path: Path) -> None:
        """PYTHON= takes precedence."""
        put(path, "python3", "3.12.1")
        put(path, "python3.15", "3.15.0")

        result = make(path, "PYTHON=python3.15")

        assert result.returncode == 0
        assert "warning: Sabot is tested on Python 3.11 to 3.14" in result.stdout
        assert "making .venv with Python 3.15.0" in result.stdout

    def test_is_not_warned_of_again(self, path: Path) -> None:
        """An existing .venv is kept."""
        put(path, "python3", "3.15.0")
        make(path)

        again = make(path)

        assert again.returncode == 0
        assert again.stdout == ""


class TestAnInterruptedInstallation:
    def test_is_begun_anew(self, path: Path) -> None:
        """A package that is there in part stops pip."""
        put(path, "python3", "3.12.1")
        make(path)
        (path.parent / ".venv/.unfinished").touch()

        again = make(path)

        assert "making .venv with Python 3.12.1" in again.stdout
        assert make(path).stdout == ""


class TestAPythonThatIsTooOld:
    def test_is_refused_with_what_is_needed_and_what_was_found(self, path: Path) -> None:
        """For example 3.10 of Ubuntu 22.04."""
        put(path, "python3", "3.10.13")

        refused = make(path)

        assert refused.returncode != 0
        assert "Python 3.11 or newer is needed" in refused.stdout
        assert "python3 is 3.10.13" in refused.stdout
        assert not (path.parent / ".venv").exists()

    def test_is_refused_where_it_was_named(self, path: Path) -> None:
        """No other Python is used instead."""
        put(path, "python3", "3.12.1")
        put(path, "python3.10", "3.10.13")

        refused = make(path, "PYTHON=python3.10")

        assert refused.returncode != 0
        assert "Python 3.11 or newer is needed; python3.10 is 3.10.13" in refused.stdout
        assert not (path.parent / ".venv").exists()

    def test_or_a_missing_one_is_refused(self, path: Path) -> None:
        """With the same message."""
        refused = make(path)

        assert refused.returncode != 0
        assert "Python 3.11 or newer is needed" in refused.stdout
        assert "python3 is missing" in refused.stdout
