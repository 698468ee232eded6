"""The folder of the client can be copied; its shapes need only the standard library."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from casino.embedded.server_paths import CLONE

_CLIENT: Final = CLONE / "casino" / "api" / "client"


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


def test_the_folder_works_under_another_name_without_sabot(tmp_path: Path) -> None:
    """A copy of the folder runs in a Python without Sabot's packages."""
    shutil.copytree(CLONE / "casino" / "api" / "client", tmp_path / "casino_sabot")
    program = "\n".join(
        [
            "import sys",
            f"sys.path.insert(0, {str(tmp_path)!r})",
            "from casino_sabot import Sabot",
            "print(Sabot('https://sabot.example', 'sabot_live_secret'))",
            "print([one for one in ('django', 'payouts', 'casino') if one in sys.modules])",
        ]
    )

    completed = subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (completed.stdout, completed.stderr) == ("Sabot('https://sabot.example')\n[]\n", "")


@pytest.mark.slow
def test_sabot_reads_the_shapes_without_requests() -> None:
    """The server imports its URLs where requests is not installed."""
    program = """
import sys
sys.modules["requests"] = None
import django; django.setup()
import casino.urls
print("casino.api.client.shapes.rounds" in sys.modules)
"""

    completed = subprocess.run(
        [sys.executable, "-c", program],
        cwd=CLONE,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "casino.settings"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (completed.stdout, completed.stderr) == ("True\n", "")
