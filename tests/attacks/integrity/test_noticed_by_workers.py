"""A running worker notices a planted change by itself, and settles nothing after it."""

import pytest

from payouts.integrity.stop_settlement import open_stops
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound
from tests.attacks.integrity.planted import PLANTED
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines
from tests.processes import Worker, wait_until


@pytest.mark.slow
def test_a_worker_stops_settlement_within_seconds(worker: Worker) -> None:
    """Beat wakes it; nobody starts a check. So small a casino is verified in each turn."""
    open_table()
    ingest(lines(baccarat_round("r-0")))
    wait_until(Settlement.objects.exists, what="the round is settled")

    PLANTED["settlement"].plant()

    wait_until(lambda: open_stops() != [], what="a worker has found the change")
    [stop] = open_stops()
    assert stop.kind == "recheck"
    assert any(PLANTED["settlement"].found in finding for finding in stop.findings)
    ingest(lines(baccarat_round("r-1")))
    worker.kill()
    assert (Settlement.objects.count(), QueuedRound.objects.count()) == (1, 1)
