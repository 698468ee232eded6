"""Metrics by HTTP, added up over the processes of a host."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from compliance.storage.database_roles.role import DatabaseRole
from rounds.models import QueuedRound
from tests.casino.api.web_server import serving
from tests.casino.operations.metric_samples import Values, samples
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.ports import free_port
from tests.processes import Worker, manage, wait_until


@pytest.fixture
def exporter(
    fresh_casino: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], Values]]:
    """The command, of a host whose processes measure; read by HTTP as Prometheus does."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    monkeypatch.setenv("METRICS_FOLDER", str(folder))
    port = free_port()
    running = manage("serve_metrics", "--port", str(port), role=DatabaseRole.READER)

    def scrape() -> Values:
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            return samples(answer.read().decode())

    def answers() -> bool:
        try:
            return bool(scrape())
        except OSError:
            return False

    wait_until(answers, what="the exporter answers")
    yield scrape
    running.send_signal(signal.SIGTERM)
    running.wait(timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_processes_are_added_up(
    exporter: Callable[[], Values], fresh_casino: str, broker: str, tmp_path: Path
) -> None:
    """Requests of two web processes, batches of a worker; rounds from the database."""
    open_table()
    with serving(tmp_path, processes=2) as (address, _pid):
        for number in range(20):
            with urlopen(f"{address}/api/v1/?number={number}"):
                pass
    worker = Worker(environment=os.environ, folder=tmp_path)
    worker.start()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), held_baccarat_round("r-3")))
    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")
    wait_until(
        lambda: exporter().get("sabot_settlement_batch_rounds_sum") == 3, what="it was measured"
    )
    worker.stop()

    found = exporter()

    labels = "method=GET route=api/v1/ status=2xx"
    counted = [name for name in found if name.startswith("sabot_request_seconds_count")]
    assert found[f"sabot_request_seconds_count {labels}"] >= 20
    assert all("number" not in name for name in counted)
    assert found["sabot_settlement_batch_seconds_sum"] > 0
    assert found["sabot_settlement_held_total"] == 1
    assert found["sabot_rounds_settled_total"] == 2
