"""Behaviour of RabbitMQ. Collected if SABOT_TEST_AMQP_URL is set."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from kombu import Connection, Queue

from rounds.models import QueuedRound
from tests.books import assert_books_are_right
from tests.brokers import RABBITMQ_URL
from tests.casino.workers.settled_feeds import lines_of, wait_for_settlement
from tests.lines import Line
from tests.processes import Worker, ingest, wait_until
from tests.rabbitmq import RabbitMQ

pytestmark = pytest.mark.slow

_NO_MEMORY: Final = "vm_memory_high_watermark.absolute = 1MB\n"
on_the_shared_one = pytest.mark.parametrize("broker", ["rabbitmq"], indirect=True)


@pytest.fixture
def rabbitmq(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RabbitMQ]:
    """A RabbitMQ of the test, not started yet."""
    folder = tmp_path / "rabbitmq"
    folder.mkdir()
    node = RabbitMQ(folder)
    monkeypatch.setenv("CELERY_BROKER_URL", node.url)
    yield node
    node.kill()


@pytest.fixture
def own_worker(fresh_casino: str, rabbitmq: RabbitMQ, tmp_path: Path) -> Iterator[Worker]:
    """A worker on it, not started yet."""
    worker = Worker(environment=os.environ, folder=tmp_path)
    yield worker
    worker.stop()


class TestAWorkerThatLostItsConnection:
    @on_the_shared_one
    def test_comes_back_although_the_broker_has_not_noticed(
        self, line: Line, feeds: tuple[Path, Path], distant_worker: Worker
    ) -> None:
        """RabbitMQ reserves the control queue for the old connection and refuses the new one.

        Without `broker_channel_error_retry` the worker ends there.
        """
        distant_worker.start()
        ingest(feeds[0])
        wait_for_settlement()

        line.lose()
        wait_until(lambda: "RESOURCE_LOCKED" in distant_worker.log.read_text(), what="refused")
        line.tell()
        ingest(feeds[1])
        wait_for_settlement()

        assert_books_are_right(lines_of(*feeds))


class TestARabbitMQThatIsKilled:
    def test_is_used_again_when_it_runs_again(
        self, rabbitmq: RabbitMQ, feeds: tuple[Path, Path], own_worker: Worker
    ) -> None:
        """After kill -9; rounds that arrive meanwhile are settled."""
        rabbitmq.start()
        own_worker.start()
        ingest(feeds[0])
        wait_for_settlement()

        rabbitmq.kill()
        completed = ingest(feeds[1])
        assert completed.returncode == 0
        assert QueuedRound.objects.exists()
        rabbitmq.start()
        wait_for_settlement()

        assert_books_are_right(lines_of(*feeds))


class TestARabbitMQThatLostItsQueue:
    def test_is_given_a_new_one(
        self, rabbitmq: RabbitMQ, feeds: tuple[Path, Path], own_worker: Worker
    ) -> None:
        """Killed within a second of the worker's start, the queue has no leader."""
        rabbitmq.start()
        own_worker.start()
        ingest(feeds[0])
        wait_for_settlement()

        rabbitmq.kill()
        rabbitmq.forget_leaders()
        ingest(feeds[1])
        rabbitmq.start()
        wait_for_settlement()

        assert "declared again" in own_worker.log.read_text()
        assert_books_are_right(lines_of(*feeds))


class TestARabbitMQThatHasNoMemoryLeft:
    def test_blocks_no_process(
        self, rabbitmq: RabbitMQ, feeds: tuple[Path, Path], own_worker: Worker
    ) -> None:
        """It accepts connections and blocks publishers until there is memory."""
        rabbitmq.start(_NO_MEMORY)
        own_worker.start()

        completed = ingest(feeds[0])
        assert completed.returncode == 0
        assert QueuedRound.objects.exists()
        rabbitmq.kill()
        rabbitmq.start()
        wait_for_settlement()

        assert_books_are_right(lines_of(feeds[0]))


class TestTheQueue:
    @on_the_shared_one
    def test_keeps_a_wake_up_for_a_minute(self, broker: str, feeds: tuple[Path, Path]) -> None:
        """RabbitMQ drops older messages."""
        ingest(feeds[0])

        with Connection(RABBITMQ_URL) as connection:
            message = Queue(os.environ["CELERY_QUEUE"], channel=connection.default_channel).get()

        assert message is not None
        assert message.properties["expiration"] == "60000"
