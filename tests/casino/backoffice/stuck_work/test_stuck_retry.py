"""Items of the exceptions queue are retried on their page."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from celery import Celery
from django.test import Client
from django.utils import timezone

from casino.celery import app
from payouts.settlement.models import Settlement
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.steps import latest_step
from payouts.stuck_work.work import WorkId
from rounds.models import QueuedRound, Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.stuck_work.stuck_pages import act
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import conflict, failing_task, quarantined
from tests.processes import Worker, wait_until


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The broker is unreachable."""
    monkeypatch.setenv("CELERY_BROKER_URL", "redis+socket:///nowhere/valkey.sock")
    Celery("away").set_default()
    yield
    app.set_default()
    app.set_current()


class TestARetry:
    @pytest.mark.slow
    def test_of_a_round_lets_a_worker_settle_it(
        self, client: Client, worker: Worker, broker: str
    ) -> None:
        """A real worker settles it although its pause lasts ten minutes."""
        client.force_login(person("supervisor"))
        open_table()
        ingest(lines(baccarat_round("r-1")))
        due_at = timezone.now() + timedelta(minutes=10)
        QueuedRound.objects.update(attempts=9, last_error="OSError: disk full", due_at=due_at)
        round_id = QueuedRound.objects.get().pk

        act(client, WorkId(WorkKind.ROUND, round_id), "retry")
        wait_until(Settlement.objects.exists, what="the worker has settled it")

        assert not QueuedRound.objects.exists()

    def test_of_a_round_settled_meanwhile_says_so(self, supervisor: Client) -> None:
        """The item left the queue; nothing is done."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        page = act(supervisor, WorkId(WorkKind.ROUND, Round.objects.get().pk), "retry")

        assert "The item is no longer in the queue." in page

    def test_of_a_task_schedules_it(self, supervisor: Client, broker: str) -> None:
        """Through the broker."""
        page = act(supervisor, failing_task(), "retry")

        assert "Task scheduled. A worker runs it within seconds." in page

    def test_of_a_task_says_if_the_broker_is_unreachable(
        self, supervisor: Client, no_broker: None
    ) -> None:
        """The attempt is recorded, and the page says that it did not start."""
        page = act(supervisor, failing_task(), "retry")

        assert "The message broker is unavailable" in page

    def test_of_a_document_ingests_it_or_says_why_not(self, supervisor: Client) -> None:
        """First without its table, then with it."""
        work = quarantined(baccarat_round("r-1"))
        refused = act(supervisor, work, "retry")
        open_table()

        page = act(supervisor, work, "retry", seen=1)

        assert "The document was rejected again" in refused
        assert "a registered table" in refused
        assert "Document accepted." in page
        assert Round.objects.get().reference == "r-1"

    def test_of_a_conflict_is_refused(self, supervisor: Client) -> None:
        """The page offers no retry; a forged form is refused."""
        open_table()
        work = conflict()

        page = act(supervisor, work, "retry")

        assert "A conflict cannot be retried" in page
        assert latest_step(work) is None
