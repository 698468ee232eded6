"""Notifications by real workers, which are killed meanwhile."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from django.utils import timezone

from casino.integrations.models import ApiKey
from casino.tasks import FOLLOW_CONDITIONS
from compliance.notifications.choose import Channels, choose_notifications
from compliance.notifications.models import Message
from compliance.notifications.notify import SEND_TASK
from rounds.wake_workers import notify_workers
from tests.casino.api.events.receiver import receiving
from tests.casino.notifications.people import somebody
from tests.casino_in_play import NOW, ingest
from tests.processes import Worker, wait_until

_MESSAGES = 12
_PROCESSES = 2
"""Those of a worker; each sends one message at a time."""


MakeWorker = Callable[..., Worker]


@pytest.fixture
def idle(fresh_casino: str, broker: str, tmp_path: Path) -> Iterator[MakeWorker]:
    """Makes a worker, not started yet, with further variables; it writes e-mails into files."""
    with ExitStack() as workers:

        def make(**variables: str) -> Worker:
            environment = {
                "DATABASE_URL": fresh_casino,
                "CELERY_BROKER_URL": broker,
                "EMAIL_URL": f"filemail:///{tmp_path / 'mail'}",
                "WEBHOOKS_TO_LOOPBACK": "on",
            }
            worker = Worker(environment={**environment, **variables}, folder=tmp_path)
            workers.callback(worker.stop)
            return worker

        yield make


def keys_that_expire(number: int) -> None:
    """So many API keys that expire tomorrow."""
    now = timezone.now()
    for key in range(number):
        ApiKey.objects.create(
            handle=f"key-{key}",
            kind=ApiKey.Kind.STUDIO,
            owner="Studio",
            scopes=[],
            networks=[],
            tables=[],
            calls_per_minute=1,
            issued_at=now,
            expires_at=now + timedelta(days=1),
            actor="Paolo",
        )


def slowly(_handler: BaseHTTPRequestHandler, _number: int) -> int:
    """An answer that takes long enough to kill the worker."""
    time.sleep(0.2)
    return 200


@pytest.mark.slow
class TestAWorker:
    def test_finds_what_awaits_people_and_sends_it(self, idle: MakeWorker, tmp_path: Path) -> None:
        """From a document in quarantine to a file of the mail server."""
        ada = somebody("ada", "supervisor")
        choose_notifications(
            person=ada, channels={"exception": Channels(True, False)}, quiet=None, at=NOW
        )
        ingest([b"{}"])
        idle().start()

        notify_workers(FOLLOW_CONDITIONS)

        # On a slow machine a further condition may be found, whose message goes elsewhere.
        about = Message.objects.filter(
            channel=Message.Channel.MAIL, notification__kind="exception"
        ).exclude(sent_at=None)
        wait_until(about.exists, what="the mail is sent")
        mails = [mail.read_text() for mail in (tmp_path / "mail").iterdir()]
        assert [mail for mail in mails if "To: ada@casino.example" in mail]

    def test_that_is_killed_loses_nothing_and_repeats_what_was_on_its_way(
        self, idle: MakeWorker
    ) -> None:
        """Each message is a row, marked in the transaction in which it was accepted."""
        ada = somebody("ada", "administrator")
        choose_notifications(
            person=ada, channels={"expiry": Channels(False, True)}, quiet=None, at=NOW
        )
        keys_that_expire(_MESSAGES)

        with receiving(slowly) as chat:
            worker = idle(CHAT_WEBHOOK_URL=chat.url)
            worker.start()
            notify_workers(FOLLOW_CONDITIONS)
            wait_until(lambda: len(chat.messages) >= 3, what="some are sent")
            worker.kill()
            before = len(chat.messages)
            worker.start()
            notify_workers(SEND_TASK)
            wait_until(lambda: not Message.objects.filter(sent_at=None).exists(), what="all sent")
            bodies = [message.body for message in chat.messages]

        assert 0 < before < _MESSAGES
        assert len(set(bodies)) == _MESSAGES
        assert len(bodies) <= _MESSAGES + _PROCESSES
