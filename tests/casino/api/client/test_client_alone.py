"""The folder of the client can be copied; its shapes need only the standard library."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from casino.embedded.server_paths import CLONE


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
