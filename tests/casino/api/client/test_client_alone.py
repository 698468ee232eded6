"""The client is a package of its own; its shapes need only the standard library."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from casino.api.client import __version__
from casino.embedded.server_paths import CLONE

_CLIENT: Final = CLONE / "casino" / "api" / "client"


def ran(*arguments: str, cwd: Path) -> str:
    """What Python printed; it must succeed."""
    completed = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "casino.settings"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def imports_of(source: str, *, depth: int) -> Iterator[str]:
    """The packages that a module imports; "outside" for those above ``depth`` folders."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            is_above = node.level > depth
            yield "outside" if is_above else "" if node.level else str(node.module).split(".")[0]


def test_it_imports_the_standard_library_and_requests_only() -> None:
    """With urllib3, which comes with requests; other modules of the folder by relative imports."""
    imported = {
        name
        for path in _CLIENT.rglob("*.py")
        for name in imports_of(path.read_text(), depth=len(path.relative_to(_CLIENT).parts))
    }

    assert imported - sys.stdlib_module_names == {"", "requests", "urllib3"}


def test_an_import_from_outside_is_found() -> None:
    """By its name, or by dots that lead out of the folder."""
    source = (
        "from casino import settings\nimport django.db\nfrom .. import views\nfrom . import HEADER"
    )

    assert list(imports_of(source, depth=1)) == ["casino", "django", "outside", ""]


@pytest.mark.slow
def test_its_wheel_works_without_sabot(tmp_path: Path) -> None:
    """It has its own version, and needs requests alone."""
    source = shutil.copytree(_CLIENT, tmp_path / "source")
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    ran("-c", build, cwd=source)
    installed = tmp_path / "installed"
    with ZipFile(tmp_path / f"sabot_client-{__version__}-py3-none-any.whl") as wheel:
        wheel.extractall(installed)
    program = "\n".join(
        [
            "import sys",
            f"sys.path.insert(0, {str(installed)!r})",
            "from importlib.metadata import requires, version",
            "from sabot_client import Sabot",
            "client = Sabot('https://sabot.example', 'sabot_live_secret')",
            "print(client, client._calls._session.headers['User-Agent'])",
            "print(version('sabot-client'), requires('sabot-client'))",
            "print([one for one in ('django', 'payouts', 'casino') if one in sys.modules])",
        ]
    )

    assert ran("-I", "-c", program, cwd=tmp_path).splitlines() == [
        f"Sabot('https://sabot.example') sabot-client/{__version__}",
        f"{__version__} ['requests>=2.32']",
        "[]",
    ]
    assert (installed / "sabot_client" / "py.typed").exists()


@pytest.mark.slow
def test_sabot_reads_the_shapes_and_nothing_that_sends() -> None:
    """The server imports its URLs; the client's HTTP is for other people's programs."""
    program = """
import sys
import django; django.setup()
import casino.urls
parts = ("shapes.rounds", "calls", "streaming")
print([part for part in parts if f"casino.api.client.{part}" in sys.modules])
"""

    assert ran("-c", program, cwd=CLONE) == "['shapes.rounds']\n"
