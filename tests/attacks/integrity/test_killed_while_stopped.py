"""Workers killed around a stop: rounds wait, then all are settled, once."""

import time
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from compliance.storage.database_roles.role import DatabaseRole
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound
from tests.attacks.integrity.stops import resume, stopped
from tests.books import assert_books_are_right
from tests.casino_in_play import open_tables
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.processes import Worker, manage, wait_until


@pytest.mark.slow
def test_every_round_is_settled_once_after_the_resumption(worker: Worker, tmp_path: Path) -> None:
    """Kill -9 while it is stopped, between both signatures, and right after the second."""
    feed = tmp_path / "feed.ndjson"
    call_command("simulate", rounds=300, faults=0.01, out=str(feed))
    open_tables(at=timezone.now())
    give_role(GIULIA, "compliance")
    give_role(LORENZO, "supervisor")
    stopped()

    assert manage("ingest", str(feed), role=DatabaseRole.FEED).wait() == 0
    waiting = QueuedRound.objects.count()
    time.sleep(6)  # longer than beat waits
    worker.kill()
    resume(by=GIULIA, seen=0, at=timezone.now())
    worker.start()
    time.sleep(6)
    assert (QueuedRound.objects.count(), Settlement.objects.count()) == (waiting, 0)
    worker.kill()
    resume(by=LORENZO, seen=1, at=timezone.now())
    worker.start()
    time.sleep(0.5)
    worker.kill()
    worker.start()

    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")
    assert waiting > 0
    assert_books_are_right(feed.read_bytes().splitlines())
