"""The wheel ``sabot`` has everything that a clone has, and runs without one."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from casino.embedded.server_paths import CLONE
from compliance.exports.bundle.software import software
from tests.deploy.sources import GIT, commit_sources, make

pytestmark = pytest.mark.slow
_PACKAGES: Final = ("casino", "compliance", "payouts", "rounds", "templates")
_TRACKED: Final = (GIT, "ls-files")
_SAYS_SOFTWARE: Final = """
import django
django.setup()
from compliance.exports.bundle.software import software
print(*software())
"""
_ASKS_FOR_A_PAGE: Final = """
import django
django.setup()
from django.test import Client
answer = Client(headers={"accept-language": "it"}).get("/admin/login/", HTTP_HOST="127.0.0.1")
print(answer.status_code, "Accedi" in answer.content.decode())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of `make wheel`."""
    sources = commit_sources(tmp_path_factory.mktemp("wheel") / "sources")
    made = make(sources, "wheel")
    assert made.returncode == 0, made.stderr
    return sources / made.stdout.strip()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package in a folder of its own; what it depends on is installed already."""
    folder = tmp_path_factory.mktemp("installed")
    options = ("--quiet", "--no-deps", "--no-index", "--no-compile", "--target", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True)
    return folder


@pytest.fixture
def run(installed: Path, fresh_casino: str, tmp_path: Path) -> "Run":
    """Runs Python with the package, far from the clone."""
    return Run(installed, fresh_casino, tmp_path)


class Run:
    """Python where only the package can be imported."""

    def __init__(self, installed: Path, database: str, folder: Path) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(installed),
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "casino.settings",
            "SABOT_VAR": str(folder / "var"),
        }

    def __call__(self, *arguments: str) -> str:
        """What Python prints; it must succeed."""
        completed = subprocess.run(
            [sys.executable, *arguments],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert completed.returncode == 0, completed.stderr
        return completed.stdout.strip()


def test_has_every_file_of_the_packages(wheel: Path) -> None:
    """Templates, translations and the released rule sets included; the templates are in casino."""
    tracked = subprocess.check_output([*_TRACKED, *_PACKAGES], cwd=CLONE, text=True)
    needed = {
        f"casino/{name}" if name.startswith("templates") else name for name in tracked.split()
    }

    found = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert found == needed


def test_is_the_same_software(run: "Run") -> None:
    """Its version and the digest of its sources, which certificates name."""
    assert run("-c", _SAYS_SOFTWARE) == " ".join(software())


def test_serves_pages_without_a_clone(run: "Run", tmp_path: Path) -> None:
    """In Italian, with its static files, by commands of its own."""
    run("-m", "casino", "collectstatic", "--no-input")
    assert run("-c", _ASKS_FOR_A_PAGE) == "200 True"
    assert (tmp_path / "var" / "static" / "staticfiles.json").exists()
    assert "no issues" in run("-m", "casino", "check")


def test_has_the_command_sabot_manage(wheel: Path) -> None:
    """Which is ``python -m casino``."""
    with ZipFile(wheel) as files:
        [entry] = [name for name in files.namelist() if name.endswith("entry_points.txt")]
        assert "sabot-manage = casino.__main__:main" in files.read(entry).decode()
