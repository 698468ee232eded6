"""Conflicts, quarantined documents and failing tasks are closed with a reason, never deleted."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.models import AuditRecord
from compliance.trail.people import actor_of
from compliance.trail.steps import StaleState
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.failing_tasks import record_task_failure
from payouts.stuck_work.kinds import WorkQuery
from payouts.stuck_work.locked_work import StuckWorkResolved
from payouts.stuck_work.models import FailingTask, StuckWorkStep
from payouts.stuck_work.queue import stuck_page
from payouts.stuck_work.resolve import ReasonMissing, RoundNotClosable, resolve_stuck_work
from payouts.stuck_work.steps import latest_step, steps_of
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from tests.casino_in_play import NOW, open_table, settle
from tests.payouts.stuck_work.stuck_scenarios import (
    TASK,
    conflict,
    failing_round,
    failing_task,
    person,
    quarantined,
)

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=4)


class TestResolvedWork:
    @pytest.mark.parametrize("make", [conflict, quarantined, failing_task])
    def test_leaves_the_list_with_a_reason_and_keeps_its_owner(self, make: type) -> None:
        """The step has both."""
        open_table()
        work, me = make(), person("supervisor")
        settle()
        assign_stuck_work(work=work, owner=me, seen=0, at=NOW, actor=actor_of(me))

        resolve_stuck_work(work=work, reason=" asked them ", seen=1, at=NOW, actor=actor_of(me))

        step = latest_step(work)
        assert step is not None
        assert (step.action, step.owner, step.note) == ("resolved", me, "asked them")
        assert stuck_page(WorkQuery(LATER)).works == []

    def test_is_not_deleted(self) -> None:
        """Both documents stay byte for byte."""
        open_table()
        me = person("supervisor")
        for work in (conflict(), quarantined()):
            resolve_stuck_work(work=work, reason="seen", seen=0, at=NOW, actor=actor_of(me))

        assert b"M2" in bytes(ConflictingDocument.objects.get().content)
        assert bytes(QuarantinedDocument.objects.get().content) == b"{broken"

    def test_is_recorded_with_reason_and_person(self) -> None:
        """On the timeline of the round, with the document's digest."""
        open_table()
        work, me = conflict(), person("compliance")

        resolve_stuck_work(work=work, reason="sent twice", seen=0, at=NOW, actor=actor_of(me))

        record = AuditRecord.objects.get(action="WORK_RESOLVED")
        assert (record.subject, record.actor) == ("round:r-c", "compliance")
        assert record.details == {
            "kind": "conflict",
            "digest": bytes(ConflictingDocument.objects.get().digest).hex(),
            "reason": "sent twice",
        }

    def test_and_fails_again_is_stuck_anew(self) -> None:
        """A later failure of the task is new work."""
        work, me = failing_task(), person("supervisor")
        resolve_stuck_work(work=work, reason="disk changed", seen=0, at=LATER, actor=actor_of(me))

        for _ in range(3):
            record_task_failure(task=TASK, error="again", takes_arguments=False, at=LATER)

        [stuck] = stuck_page(WorkQuery(LATER)).works
        assert stuck.id != work
        assert (stuck.tries, stuck.step) == (3, None)
        assert FailingTask.objects.count() == 2


class TestWorkThatCannotBeClosed:
    def test_a_round_that_waits(self) -> None:
        """It has to be settled or held."""
        open_table()
        work, me = failing_round(), person("supervisor")

        with pytest.raises(RoundNotClosable):
            resolve_stuck_work(work=work, reason="enough", seen=0, at=NOW, actor=actor_of(me))

        assert QueuedRound.objects.count() == 1
        assert len(stuck_page(WorkQuery(NOW)).works) == 1

    @pytest.mark.parametrize("reason", ["", " \n\t"])
    def test_without_a_reason(self, reason: str) -> None:
        """In the service and in the database."""
        work, me = failing_task(), person("supervisor")

        with pytest.raises(ReasonMissing):
            resolve_stuck_work(work=work, reason=reason, seen=0, at=NOW, actor=actor_of(me))
        with pytest.raises(IntegrityError, match="resolved_with_a_reason"), transaction.atomic():
            StuckWorkStep.objects.create(
                **work.reference, sequence=1, action="resolved", at=NOW, actor="me"
            )

        assert latest_step(work) is None

    def test_twice(self) -> None:
        """The first reason stays."""
        work, me = failing_task(), person("supervisor")
        resolve_stuck_work(work=work, reason="one", seen=0, at=NOW, actor=actor_of(me))

        with pytest.raises(StuckWorkResolved):
            resolve_stuck_work(work=work, reason="two", seen=1, at=NOW, actor=actor_of(me))

        assert [step.note for step in steps_of(work)] == ["one"]

    def test_by_a_person_with_an_outdated_page(self) -> None:
        """The sequence is outdated."""
        open_table()
        work, me, other = quarantined(), person("supervisor"), person("compliance")
        assign_stuck_work(work=work, owner=other, seen=0, at=NOW, actor=actor_of(other))

        with pytest.raises(StaleState):
            resolve_stuck_work(work=work, reason="mine", seen=0, at=NOW, actor=actor_of(me))
