"""Event workers survive kills and run concurrently (issue 8)."""

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from casino.integrations.events.stream import events_after
from casino.integrations.models import Webhook, WebhookState
from casino.integrations.tasks import wake_event_workers
from tests.casino.api.api_client import issued
from tests.casino.api.events.event_scenarios import settled_rounds, webhook_to
from tests.casino.api.events.receiver import Receiver, receiving
from tests.casino_in_play import open_table
from tests.processes import Worker, wait_until

_EVENTS = 40
_KILLS = 3


@pytest.fixture
def idle(
    fresh_casino: str, broker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Worker]:
    """A worker that may call localhost, not started yet."""
    monkeypatch.setenv("WEBHOOKS_TO_LOOPBACK", "on")
    environment = {"DATABASE_URL": fresh_casino, "CELERY_BROKER_URL": broker}
    worker = Worker(environment=environment, folder=tmp_path)
    yield worker
    worker.stop()


def rounds_to_tell() -> list[str]:
    """Settles and logs rounds; returns the ids of their events."""
    open_table()
    settled_rounds(*(f"r-{number}" for number in range(_EVENTS)))
    return [str(event.id) for event in events_after(0, key=issued().key, limit=_EVENTS).events]


def slowly(_handler: BaseHTTPRequestHandler, _number: int) -> int:
    """An answer that takes long enough to kill the worker."""
    time.sleep(0.1)
    return 200


def is_delivered(webhook: Webhook) -> bool:
    """Whether every event was accepted."""
    return WebhookState.objects.get(webhook=webhook).delivered == _EVENTS


def wait_for(receiver: Receiver, count: int) -> None:
    """Waits until this many messages came, duplicates included."""
    wait_until(lambda: len(receiver.messages) >= count, what=f"message {count}")


@pytest.mark.slow
class TestAWorkerThatIsKilled:
    def test_repeats_only_the_delivery_in_progress(self, idle: Worker) -> None:
        """It is killed while the receiver has not answered."""
        expected = rounds_to_tell()
        with receiving(slowly) as receiver:
            webhook = webhook_to(receiver.url).webhook
            for kill in range(1, _KILLS + 1):
                idle.start()
                wait_for(receiver, kill * _EVENTS // (_KILLS + 1))
                idle.kill()
            idle.start()
            wait_until(lambda: is_delivered(webhook), what="everything is delivered")

        ids = receiver.ids()
        assert list(dict.fromkeys(ids)) == expected
        assert len(ids) - len(expected) <= _KILLS
        repeated = [event_id for number, event_id in enumerate(ids) if event_id in ids[:number]]
        assert all(ids[ids.index(event_id) + 1] == event_id for event_id in repeated)


@pytest.mark.slow
class TestTwoWorkers:
    def test_never_send_to_one_webhook_at_once(self, idle: Worker) -> None:
        """Four processes with more wake-ups than work send each event once, in order."""
        expected = rounds_to_tell()
        twin = idle.twin()
        with receiving(slowly) as receiver:
            webhook = webhook_to(receiver.url).webhook
            idle.start()
            twin.start()
            try:
                wait_for(receiver, 1)
                for _notifier in range(20):
                    wake_event_workers()
                wait_until(lambda: is_delivered(webhook), what="everything is delivered")
            finally:
                twin.stop()

        assert receiver.ids() == expected
        assert receiver.most_at_once == 1

    def test_are_not_blocked_by_a_receiver_that_hangs(self, idle: Worker) -> None:
        """Other webhooks are served meanwhile."""
        expected = rounds_to_tell()
        with receiving() as hanging, receiving(200) as receiver:
            hanging.answer = lambda _handler, _number: hanging.may_go_on.wait() and None
            webhook_to(hanging.url)
            webhook = webhook_to(receiver.url).webhook
            idle.start()
            wait_until(lambda: is_delivered(webhook), what="everything is delivered")
            began = len(hanging.messages)

        assert receiver.ids() == expected
        assert began <= 2
