"""An exception is retried by hand and by the sweep, and happens once."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction

from compliance.trail.actor import WORKER
from compliance.trail.models import AuditRecord
from compliance.trail.people import actor_of
from compliance.trail.steps import StaleState, StepError
from payouts.settlement.models import Settlement
from payouts.settlement.sweep import sweep_waiting_rounds
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.kinds import WorkQuery
from payouts.stuck_work.locked_work import StuckWorkEnded, StuckWorkResolved
from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind
from payouts.stuck_work.queue import stuck_page
from payouts.stuck_work.resolve import resolve_stuck_work
from payouts.stuck_work.retry_document import retry_document
from payouts.stuck_work.retry_round import retry_round
from payouts.stuck_work.retry_task import TaskTakesArguments, retry_task
from payouts.stuck_work.steps import latest_step, steps_of
from payouts.stuck_work.work import WorkId
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound, Round
from rounds.services.queue import RoundBeingProcessed, claim_again
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    failing_round,
    failing_task,
    person,
    quarantined,
)

SOON = NOW + timedelta(seconds=1)


@pytest.mark.django_db
class TestARoundThatIsRetried:
    def test_is_due_immediately_and_may_fail_again(self) -> None:
        """It waits again if the cause remains."""
        open_table()
        work, me = failing_round(tries=1), person("supervisor")
        assert QueuedRound.objects.get().due_at > SOON

        retry_round(round_id=work.key, seen=0, at=SOON, actor=actor_of(me))
        assert QueuedRound.objects.get().due_at == SOON
        sweep_waiting_rounds(now=lambda: SOON, actor=WORKER, batches=1)

        waiting = QueuedRound.objects.get()
        assert (waiting.attempts, waiting.due_at > SOON) == (2, True)

    def test_is_settled_once_when_its_cause_is_gone(self) -> None:
        """Money moves once despite several retries."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        me, waiting = person("supervisor"), QueuedRound.objects.get()
        QueuedRound.objects.update(attempts=7, due_at=NOW + timedelta(minutes=10))

        retry_round(round_id=waiting.pk, seen=0, at=NOW, actor=actor_of(me))
        retry_round(round_id=waiting.pk, seen=1, at=NOW, actor=actor_of(me))
        settle()
        settle()

        assert Settlement.objects.count() == 1

    def test_keeps_its_owner_and_is_recorded(self) -> None:
        """With actor, attempts and error."""
        open_table()
        work, me = failing_round(), person("supervisor")
        assign_stuck_work(work=work, owner=me, seen=0, at=NOW, actor=actor_of(me))

        retry_round(round_id=work.key, seen=1, at=NOW, actor=actor_of(me))

        step, record = latest_step(work), AuditRecord.objects.get(action="ROUND_RETRIED")
        assert step is not None
        assert (step.action, step.owner) == ("retried", me)
        assert (record.subject, record.actor) == ("round:r-1", "supervisor")
        assert record.details["tries"] == 3
        assert "baccarat/0" in record.details["last_error"]

    def test_is_not_put_back_in_the_queue_when_it_was_due_already(self) -> None:
        """It keeps its place."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        later = NOW + timedelta(minutes=5)

        retry_round(
            round_id=QueuedRound.objects.get().pk,
            seen=0,
            at=later,
            actor=actor_of(person("supervisor")),
        )

        assert QueuedRound.objects.get().due_at == NOW
        assert len(stuck_page(WorkQuery(later)).works) == 1

    def test_is_refused_if_settled_meanwhile(self) -> None:
        """Nothing is recorded."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        with pytest.raises(StuckWorkEnded):
            retry_round(
                round_id=Round.objects.get().pk,
                seen=0,
                at=NOW,
                actor=actor_of(person("supervisor")),
            )

        assert not AuditRecord.objects.filter(action="ROUND_RETRIED").exists()


@pytest.mark.usefixtures("fresh_casino")
class TestARoundInSettlement:
    def test_is_not_waited_for(self) -> None:
        """The retry is refused at once while a worker has the lock."""
        open_table()
        work, me = failing_round(), person("supervisor")
        worker = connections.create_connection("default")
        worker.set_autocommit(False)
        with worker.cursor() as cursor:
            cursor.execute("SELECT * FROM rounds_queuedround FOR UPDATE")

        with pytest.raises(RoundBeingProcessed):
            retry_round(round_id=work.key, seen=0, at=NOW, actor=actor_of(me))

        worker.rollback()
        worker.close()
        assert latest_step(work) is None
        with transaction.atomic():
            assert claim_again([work.key])


@pytest.mark.usefixtures("fresh_casino")
class TestConcurrentRetriesAndSweeps:
    @pytest.mark.slow
    def test_are_settled_once(self) -> None:
        """Two people and two sweeps, forty rounds, random orders."""
        open_table()
        feed = lines(*(baccarat_round(f"r-{number}") for number in range(40)))
        ingest(feed)
        QueuedRound.objects.update(attempts=3, due_at=NOW + timedelta(minutes=10))
        waiting = list(QueuedRound.objects.values_list("pk", flat=True))
        people = [person("supervisor"), person("compliance")]
        left = Barrier(4)

        def retry(user: User) -> None:
            left.wait()
            for round_id in Random(user.pk).sample(waiting, len(waiting)):
                with contextlib.suppress(RoundBeingProcessed, StepError):
                    retry_round(round_id=round_id, seen=0, at=NOW, actor=actor_of(user))
            connection.close()

        def sweep(_number: int) -> None:
            left.wait()
            for _ in range(40):
                sweep_waiting_rounds(now=lambda: NOW, actor=WORKER, batches=1)
            connection.close()

        with ThreadPoolExecutor(4) as pool:
            submitted = [*(pool.submit(retry, person) for person in people)]
            submitted += [pool.submit(sweep, number) for number in range(2)]
        for future in submitted:
            future.result()
        for round_id in QueuedRound.objects.values_list("pk", flat=True):
            seen = steps_of(WorkId(WorkKind.ROUND, round_id)).count()
            retry_round(round_id=round_id, seen=seen, at=NOW, actor=actor_of(people[0]))
        settle()

        assert_books_are_right(feed)
        retried = AuditRecord.objects.filter(action="ROUND_RETRIED").count()
        assert retried == StuckWorkStep.objects.count()


@pytest.mark.django_db
class TestATaskThatIsRetried:
    def test_returns_the_task_to_schedule(self) -> None:
        """The service does not use the broker."""
        work, me = failing_task("payouts.settle_rounds"), person("supervisor")

        name = retry_task(failing_id=work.key, seen=0, at=NOW, actor=actor_of(me))

        record = AuditRecord.objects.get(action="TASK_RETRIED")
        assert name == "payouts.settle_rounds"
        assert (record.subject, record.details["failures"]) == ("task:payouts.settle_rounds", 3)

    def test_is_refused_if_it_takes_arguments(self) -> None:
        """They are unknown."""
        work = failing_task()
        FailingTask.objects.update(takes_arguments=True)

        with pytest.raises(TaskTakesArguments):
            retry_task(failing_id=work.key, seen=0, at=NOW, actor=actor_of(person("supervisor")))

    def test_is_refused_when_it_has_recovered(self) -> None:
        """The task succeeds again."""
        work = failing_task()
        FailingTask.objects.update(recovered_at=NOW)

        with pytest.raises(StuckWorkEnded):
            retry_task(failing_id=work.key, seen=0, at=NOW, actor=actor_of(person("supervisor")))


@pytest.mark.django_db
class TestADocumentThatIsRetried:
    def test_is_ingested_once_its_table_is_registered(self) -> None:
        """The person is recorded as the actor."""
        work, me = quarantined(baccarat_round("r-1")), person("supervisor")
        open_table()

        retried = retry_document(document_id=work.key, seen=0, at=NOW, actor=actor_of(me))

        step, arrival = latest_step(work), AuditRecord.objects.get(action="ROUND_RECEIVED")
        assert retried
        assert step is not None
        assert step.action == "taken"
        assert (arrival.actor, arrival.details["line"]) == ("supervisor", 1)
        assert settle().settled == 1
        assert stuck_page(WorkQuery(NOW)).works == []
        assert QuarantinedDocument.objects.count() == 1

    def test_is_refused_with_the_current_reason(self) -> None:
        """The document still has an invalid bet."""
        bets = [{**baccarat_round("r")["bets"][0], "stake": "-1.00"}]
        work = quarantined(baccarat_round("r-1", bets=bets))
        open_table(rules="baccarat/1")

        retried = retry_document(
            document_id=work.key, seen=0, at=NOW, actor=actor_of(person("supervisor"))
        )

        step = latest_step(work)
        assert not retried
        assert step is not None
        assert step.action == "retried"
        assert "-1.00" in step.note
        assert [stuck.id for stuck in stuck_page(WorkQuery(NOW)).works] == [work]

    def test_becomes_a_conflict_when_its_id_is_taken(self) -> None:
        """The conflict is a new exception."""
        work = quarantined(baccarat_round("r-1", session="M2"))
        open_table()
        ingest(lines(baccarat_round("r-1")))

        retried = retry_document(
            document_id=work.key, seen=0, at=NOW, actor=actor_of(person("supervisor"))
        )

        assert retried
        left = ConflictingDocument.objects.get()
        assert [stuck.id.key for stuck in stuck_page(WorkQuery(NOW)).works] == [left.pk]

    def test_is_refused_if_resolved_or_outdated(self) -> None:
        """Resolved, or with an outdated sequence."""
        work, me = quarantined(), person("supervisor")
        resolve_stuck_work(work=work, reason="test", seen=0, at=NOW, actor=actor_of(me))

        with pytest.raises(StuckWorkResolved):
            retry_document(document_id=work.key, seen=1, at=NOW, actor=actor_of(me))
        with pytest.raises(StaleState):
            retry_document(document_id=work.key, seen=0, at=NOW, actor=actor_of(me))
