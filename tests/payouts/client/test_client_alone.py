"""The client's folder can be copied: it needs nothing of Sabot, and no Django (issue 8, 6)."""

import shutil
import subprocess
import sys
from pathlib import Path

from casino.embedded.places import CLONE


def test_the_folder_works_under_another_name_without_sabot(tmp_path: Path) -> None:
    """Copied into a folder of its own, in a Python that finds no other module of ours."""
    shutil.copytree(CLONE / "payouts" / "client", tmp_path / "casino_sabot")
    program = "\n".join(
        [
            "import sys",
            f"sys.path.insert(0, {str(tmp_path)!r})",
            "from casino_sabot import Sabot",
            "print(Sabot('https://sabot.example', 'sabot_live_secret'))",
            "print([one for one in ('django', 'payouts', 'casino') if one in sys.modules])",
        ]
    )

    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.stdout, done.stderr) == ("Sabot('https://sabot.example')\n[]\n", "")
