"""Beat on a host whose clock is wrong for a while."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.soak.clocks import Clocks
from casino.celery import app
from casino.devserver.programs import settling_programs
from casino.devserver.watch import Program
from tests.processes import wait_until

_STEP: Final = 600


@pytest.fixture
def clocks(tmp_path: Path) -> Clocks:
    """That of the host; a compiler is there wherever the tests run."""
    made = Clocks(tmp_path / "clocks")
    assert made.can_step, "a C compiler is needed: apt-get install gcc libc6-dev"
    return made


@pytest.fixture
def beat(
    fresh_casino: str, broker: str, clocks: Clocks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Program]:
    """Beat, which has sent tasks already."""
    monkeypatch.setattr("casino.devserver.watch.LOGS", tmp_path)
    _worker, program = settling_programs(
        schedule=tmp_path / "celerybeat",
        log_key=tmp_path / "log.pem",
        environment={**clocks.environment_of("worker-1"), "DATABASE_URL": fresh_casino},
    )
    program.start()
    wait_until(lambda: _sent() > 0, what="it sends tasks")
    yield program
    program.ask_to_end()
    program.wait_for_end()


def _sent() -> int:
    """The number of tasks that wait in the broker, as there is no worker."""
    with app.connection() as connection:
        channel: Any = connection.default_channel
        return int(channel.client.llen(os.environ["CELERY_QUEUE"]))


def _wait_for_more() -> None:
    before = _sent()
    wait_until(lambda: _sent() > before, what="it sends more tasks")


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
@pytest.mark.parametrize("seconds", [_STEP, -_STEP])
@pytest.mark.usefixtures("beat")
def test_it_sends_tasks_whatever_the_clock_says(clocks: Clocks, seconds: int) -> None:
    """Celery alone sends none for ten minutes after its clock is set back by them."""
    clocks.step("worker-1", seconds=seconds)
    _wait_for_more()

    clocks.step("worker-1", seconds=0)
    _wait_for_more()
