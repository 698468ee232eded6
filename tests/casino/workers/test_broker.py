"""Lost brokers: no work is lost, and no process blocks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from celery.worker.consumer import Consumer
from kombu import Connection
from kombu.transport import redis

from casino.workers.consumer import QuietConsumer
from rounds.models import QueuedRound, Round
from tests.books import assert_books_are_right
from tests.casino.workers.settled_feeds import lines_of, wait_for_settlement
from tests.lines import Line
from tests.processes import Worker, ingest, wait_until


class TestAnIngestWithoutABroker:
    @pytest.mark.slow
    @pytest.mark.parametrize("away", [Line.cut, Line.freeze])
    def test_stores_everything_and_says_so(
        self, line: Line, feeds: tuple[Path, Path], away: Callable[[Line], None]
    ) -> None:
        """It ends by itself, whether the broker is gone or silent (issue 4, item 6)."""
        away(line)

        completed = ingest(feeds[0])

        assert completed.returncode == 0
        assert "The message broker is unavailable" in completed.stderr
        assert Round.objects.count() == QueuedRound.objects.count() > 0

    @pytest.mark.slow
    def test_is_settled_when_the_broker_is_back(
        self, line: Line, feeds: tuple[Path, Path], distant_worker: Worker
    ) -> None:
        """The sweep finds the rounds without a wake-up."""
        line.cut()
        ingest(feeds[0])
        distant_worker.start()
        wait_until(lambda: "Cannot connect" in distant_worker.log.read_text(), what="it tries")

        line.mend()
        wait_for_settlement()

        assert_books_are_right(lines_of(feeds[0]))


@pytest.mark.slow
class TestAWorkerThatLosesItsBroker:
    def test_listens_again_when_it_is_back(
        self, line: Line, feeds: tuple[Path, Path], distant_worker: Worker
    ) -> None:
        """After its connection is cut and restored."""
        distant_worker.start()
        ingest(feeds[0])
        wait_for_settlement()

        line.cut()
        ingest(feeds[1])
        assert QueuedRound.objects.exists()
        line.mend()
        wait_for_settlement()

        assert_books_are_right(lines_of(*feeds))


class TestATaskThatEndsAfterItsConnectionWasLost:
    @pytest.mark.parametrize("broker", ["valkey"], indirect=True)
    def test_is_an_error_that_celery_expects(
        self, broker: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A channel of kombu raises an AttributeError, at which the worker would end.

        Whether a worker reaches this state is chance, so its channel is called directly.
        """
        monkeypatch.setattr(redis.Transport, "Channel", redis.Channel)
        current_app.WorkController(pool="solo")
        connection = Connection(broker)
        channel: Any = connection.channel()
        expected = connection.connection_errors + connection.channel_errors
        channel.close()
        connection.close()

        with pytest.raises(expected, match="was lost"):
            channel.basic_ack("what it had in hand")


class TestAConsumer:
    def test_leaves_out_one_step_of_celery(self) -> None:
        """Detects a renamed step in Celery."""
        left_out = set(Consumer.Blueprint.default_steps) - set(
            QuietConsumer.Blueprint.default_steps
        )

        assert len(left_out) == 1
