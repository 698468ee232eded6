"""What must be right after a drill."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.drills.progress import say, wait_for
from casino.embedded.server_paths import CLONE
from rounds.models import QueuedRound, Round
from tests.books import assert_books_are_right
from tests.crash.final_checks import (
    assert_audit_trail_is_complete,
    assert_rounds_are_stored_and_settled_once,
)

_SETTLED_SECONDS: Final = 600


def stored_rounds() -> set[str]:
    """The studios' ids of all stored rounds."""
    return set(Round.objects.values_list("reference", flat=True))


def check_books(lines: Sequence[bytes], *, worker: Mapping[str, str]) -> None:
    """Every round of the feeds is stored and settled once, and all books agree.

    ``worker`` is the environment of the worker's role, which reconciles.
    """
    wait_for(
        lambda: not QueuedRound.objects.exists(),
        what="every round is settled",
        seconds=_SETTLED_SECONDS,
    )
    assert_rounds_are_stored_and_settled_once(lines)
    assert_books_are_right(lines)
    assert_audit_trail_is_complete()
    count = Round.objects.count()
    say(f"{count} rounds stored and settled, each once; the books are those of replay")
    _run("reconcile", environment=worker)


def _run(command: str, *, environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=CLONE,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"manage.py {command} exits with {done.returncode}: {done.stdout}{done.stderr}")
    say(f"manage.py {command}: {done.stdout.strip().splitlines()[-1]}")
