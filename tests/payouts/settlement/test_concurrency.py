"""Concurrent processes reach one consistent history."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from compliance.storage.database_roles.role import DatabaseRole
from rounds.models import QuarantinedDocument, QueuedRound
from tests.books import assert_books_are_right
from tests.casino_in_play import open_tables
from tests.processes import Worker, manage, wait_until


@pytest.mark.slow
class TestOneFeedBroughtByThreeProcessesToTwoWorkers:
    def test_is_stored_and_settled_once(self, worker: Worker, broker: str, tmp_path: Path) -> None:
        """Each document once, each bet once, without deadlocks."""
        open_tables(at=timezone.now())
        feed = tmp_path / "feed.ndjson"
        call_command("simulate", rounds=400, faults=0.02, tables=1, out=str(feed))
        second = worker.twin()
        second.start()

        ingests = [manage("ingest", str(feed), role=DatabaseRole.FEED) for _ in range(3)]
        statuses = [ingest.wait() for ingest in ingests]
        wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")
        second.stop()

        assert statuses == [0, 0, 0]
        lines = feed.read_bytes().splitlines()
        assert_books_are_right(lines)
        quarantined = QuarantinedDocument.objects.values_list("line", flat=True)
        assert len(quarantined) == len(set(quarantined))
