"""A worker that loses one of its processes while it starts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.stack.programs import settling_programs
from casino.stack.watch import Program
from rounds.models import QueuedRound, Round
from tests.crash.supervised import children_of, kill
from tests.processes import ingest, wait_until


@pytest.fixture
def program(
    fresh_casino: str,
    broker: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Iterator[Program]:
    """The worker as `make run` has it, not started yet."""
    monkeypatch.setattr("casino.stack.watch.LOGS", tmp_path)
    made, _ = settling_programs(schedule=tmp_path / "celerybeat", log_key=tmp_path / "log.pem")
    yield made
    made.ask_to_end()
    made.wait_for_end()


@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_it_takes_another_process_and_settles(program: Program, feeds: tuple[Path, Path]) -> None:
    """Celery's own consumer gives up: "Could not start worker processes"."""
    program.start()
    wait_until(lambda: bool(children_of(program.pid)), what="its first process is there")
    kill(children_of(program.pid)[0])
    wait_until(lambda: "ready" in program.log.read_text(), what="it listens")

    ingest(feeds[0])

    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is settled or held")
    assert Round.objects.exists()
    assert not program.has_ended()
