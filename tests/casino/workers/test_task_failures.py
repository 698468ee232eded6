"""Failures and recoveries of tasks are stored, with real workers."""

import logging
from pathlib import Path

import pytest
from celery import current_app
from celery.signals import task_failure, task_success
from django.core.management import call_command
from django.db import connection, connections

from payouts.stuck_work.models import FailingTask
from payouts.tasks import settle_rounds_task
from rounds.models import QueuedRound
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines
from tests.processes import Worker, wait_until

SWEEP = "payouts.settle_rounds"


def rename(table: str, to: str) -> None:
    """Hides a table from the workers, or restores it."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO {to}")


@pytest.mark.slow
class TestTheSweepOfARealWorker:
    def test_is_a_failing_task_while_its_queue_is_gone_and_recovers_with_it(
        self, worker: Worker, broker: str, tmp_path: Path
    ) -> None:
        """The round is settled afterwards."""
        feed = tmp_path / "feed.ndjson"
        feed.write_bytes(b"\n".join(lines(baccarat_round("r-1"))))
        open_table()
        ingest(lines(baccarat_round("r-0")))
        wait_until(
            lambda: not QueuedRound.objects.exists(),
            what="the worker, which does not start without the table, has started",
        )
        rename("rounds_queuedround", "hidden")
        current_app.send_task(SWEEP)
        sweeps = FailingTask.objects.filter(task=SWEEP)  # other tasks miss the table, too
        failing = sweeps.filter(recovered_at__isnull=True)
        wait_until(lambda: failing.filter(failures__gte=2).exists(), what="the sweep fails twice")
        seen = failing.get()

        rename("hidden", "rounds_queuedround")
        call_command("ingest", str(feed))
        recovered = sweeps.filter(recovered_at__isnull=False)
        wait_until(recovered.exists, what="the sweep has recovered")
        wait_until(lambda: not QueuedRound.objects.exists(), what="the round is settled")

        assert "rounds_queuedround" in seen.last_error
        assert seen.first_failed_at < seen.last_failed_at
        assert not seen.takes_arguments
        assert sweeps.count() == 1


@pytest.mark.django_db
class TestATaskInThisProcess:
    def test_that_succeeds_leaves_no_row(self) -> None:
        """Nothing is stored without a failure."""
        settle_rounds_task.apply()

        assert not FailingTask.objects.exists()

    def test_that_is_called_with_arguments_is_known_to_need_them(self) -> None:
        """It cannot be retried without them."""
        task_failure.send(
            settle_rounds_task, exception=OSError("\0full"), args=["2026-11"], kwargs={}
        )

        failing = FailingTask.objects.get()
        assert failing.takes_arguments
        assert failing.last_error == "OSError: \N{REPLACEMENT CHARACTER}full"


@pytest.mark.usefixtures("fresh_casino")
class TestWithoutADatabase:
    def test_the_failure_of_a_lost_connection_is_stored_over_a_new_one(self) -> None:
        """PostgreSQL terminates the backend of the task."""
        outside = connections.create_connection("default")
        with connection.cursor() as inside, outside.cursor() as cursor:
            inside.execute("SELECT pg_backend_pid()")
            cursor.execute("SELECT pg_terminate_backend(%s)", inside.fetchone())
        outside.close()

        settle_rounds_task.apply()

        assert "Error" in FailingTask.objects.get().last_error

    def test_results_that_cannot_be_stored_are_logged(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Neither a failure nor a success raises while the table is missing."""
        rename("payouts_failingtask", "hidden")

        with caplog.at_level(logging.WARNING):
            task_failure.send(settle_rounds_task, exception=OSError("full"), args=(), kwargs={})
            task_success.send(settle_rounds_task, result=None)

        rename("hidden", "payouts_failingtask")
        assert "The failure of payouts.settle_rounds cannot be stored" in caplog.text
        assert "The success of payouts.settle_rounds cannot be stored" in caplog.text
