"""The sources in a repository of their own, in which `make` finds this environment."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Final

from casino.embedded.server_paths import CLONE

GIT: Final = which("git") or "git"
MAKE: Final = which("make") or "make"
_PERSON: Final = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
_DATE: Final = {
    "GIT_COMMITTER_DATE": "2026-03-01T12:00:00Z",
    "GIT_AUTHOR_DATE": "2026-03-01T12:00Z",
}


def commit_sources(folder: Path) -> Path:
    """Commits a copy of what git knows here, and what was changed; returns the folder."""
    folder.mkdir()
    names = subprocess.check_output([GIT, "ls-files", "-z"], cwd=CLONE)
    copy = ["cp", "--parents", "--target-directory", str(folder)]
    subprocess.run(["/usr/bin/xargs", "-0", *copy], input=names, cwd=CLONE, check=True)
    (folder / ".venv").symlink_to(sys.prefix)
    for command in (("init", "-q"), ("add", "--all"), ("commit", "-q", "--message", "All")):
        arguments = [GIT, *_PERSON, *command]
        subprocess.run(arguments, cwd=folder, env={**os.environ, **_DATE}, check=True)
    return folder


def make(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs `make` there, with what is installed here."""
    command = [MAKE, "--no-print-directory", "--assume-old=setup", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
