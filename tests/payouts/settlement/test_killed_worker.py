"""Killed processes lose nothing and pay nothing twice."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from compliance.storage.database_roles.role import DatabaseRole
from rounds.models import QueuedRound, Round
from tests.books import assert_books_are_right
from tests.casino_in_play import open_tables
from tests.processes import Worker, manage, wait_until

_SEED = 20261121
_KILLS = 1


def deal(folder: Path, *, rounds: int) -> Path:
    """A simulated feed of every game, with faults."""
    feed = folder / "feed.ndjson"
    call_command("simulate", rounds=rounds, faults=0.01, out=str(feed))
    return feed


@pytest.mark.slow
class TestAFeedIngestedTwiceWithItsWorkerKilled:
    def test_is_settled_once_and_pays_what_replay_pays(
        self, worker: Worker, tmp_path: Path
    ) -> None:
        """Issue 1, done when: kill -9 at random moments, every bet has exactly one settlement.

        Other processes are killed in `tests/crash`.
        """
        moments = random.Random(_SEED)
        open_tables(at=timezone.now())
        feed = deal(tmp_path, rounds=300)

        for _ in range(2):
            ingest = manage("ingest", str(feed), role=DatabaseRole.FEED)
            for _ in range(_KILLS):
                time.sleep(moments.uniform(0.5, 3))
                worker.kill()
                worker.start()
            assert ingest.wait() == 0
        wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")

        assert_books_are_right(feed.read_bytes().splitlines())


@pytest.mark.slow
class TestAnIngestThatIsKilled:
    def test_is_simply_run_again(self, worker: Worker, broker: str, tmp_path: Path) -> None:
        """Interrupted at random moments, then run to the end (issue 1, item 5)."""
        moments = random.Random(_SEED)
        open_tables(at=timezone.now())
        feed = deal(tmp_path, rounds=300)

        for _ in range(2):
            ingest = manage("ingest", str(feed), role=DatabaseRole.FEED)
            time.sleep(moments.uniform(0.6, 1.6))
            ingest.kill()
            ingest.wait()
        subprocess.run([sys.executable, "manage.py", "ingest", str(feed)], check=True)
        wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")

        assert Round.objects.count() > 0
        assert_books_are_right(feed.read_bytes().splitlines())
