"""An exception is assigned to one person at a time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from compliance.trail.models import AuditRecord
from compliance.trail.people import actor_of
from compliance.trail.steps import StaleState
from payouts.stuck_work.assign import OwnerNotPermitted, assign_stuck_work
from payouts.stuck_work.locked_work import StuckWorkEnded
from payouts.stuck_work.models import StuckWorkStep, WorkKind
from payouts.stuck_work.resolve import resolve_stuck_work
from payouts.stuck_work.steps import latest_step, steps_of
from payouts.stuck_work.work import WorkId
from rounds.models import QueuedRound
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    conflict,
    failing_round,
    failing_task,
    person,
    quarantined,
)


def waiting_round() -> WorkId:
    """A round that will be settled by the next sweep."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    return WorkId(WorkKind.ROUND, QueuedRound.objects.get().pk)


@pytest.mark.django_db
class TestWorkThatIsAssigned:
    @pytest.mark.parametrize("make", [failing_round, conflict, quarantined, failing_task])
    def test_has_an_owner_for_every_kind(self, make: type) -> None:
        """For every kind of work."""
        open_table()
        work, me = make(), person("supervisor")

        assign_stuck_work(work=work, owner=me, note=" at once ", seen=0, at=NOW, actor=actor_of(me))

        step = latest_step(work)
        assert step is not None
        assert (step.owner, step.sequence, step.note) == (me, 1, "at once")

    def test_is_recorded_with_both_persons(self) -> None:
        """On the timeline of the round (issue 4, point 4)."""
        open_table()
        work, giver, getter = failing_round(), person("supervisor"), person("compliance")

        assign_stuck_work(work=work, owner=getter, seen=0, at=NOW, actor=actor_of(giver))

        record = AuditRecord.objects.get(action="WORK_ASSIGNED")
        assert (record.actor, record.actor_user_id, record.at) == ("supervisor", giver.pk, NOW)
        assert record.subject == "round:r-1"
        assert record.details == {
            "kind": "round",
            "from": None,
            "to": "compliance",
            "to_user_id": getter.pk,
            "reopened": False,
            "note": "",
        }

    def test_can_be_unassigned(self) -> None:
        """Both steps stay."""
        work, me = failing_task(), person("supervisor")
        assign_stuck_work(work=work, owner=me, seen=0, at=NOW, actor=actor_of(me))

        assign_stuck_work(work=work, owner=None, seen=1, at=NOW, actor=actor_of(me))

        assert [step.owner for step in steps_of(work)] == [me, None]

    def test_is_not_assigned_twice_to_the_same_person(self) -> None:
        """A second click adds no step."""
        work, me = failing_task(), person("supervisor")
        assign_stuck_work(work=work, owner=me, seen=0, at=NOW, actor=actor_of(me))

        assign_stuck_work(work=work, owner=me, seen=1, at=NOW, actor=actor_of(me))

        assert steps_of(work).count() == 1
        assert AuditRecord.objects.filter(action="WORK_ASSIGNED").count() == 1

    def test_reopens_resolved_work(self) -> None:
        """By a further step."""
        open_table()
        work, me = conflict(), person("supervisor")
        resolve_stuck_work(work=work, reason="the studio erred", seen=0, at=NOW, actor=actor_of(me))

        assign_stuck_work(work=work, owner=me, seen=1, at=NOW, actor=actor_of(me))

        actions = [step.action for step in steps_of(work)]
        assert actions == ["resolved", "assigned"]
        assert AuditRecord.objects.get(action="WORK_ASSIGNED").details["reopened"] is True


@pytest.mark.django_db
class TestWorkThatCannotBeAssigned:
    @pytest.mark.parametrize("role", ["auditor", "payments", "administrator"])
    def test_to_a_person_without_the_permission(self, role: str) -> None:
        """The role may not handle exceptions."""
        work, me, other = failing_task(), person("supervisor"), person(role)

        with pytest.raises(OwnerNotPermitted):
            assign_stuck_work(work=work, owner=other, seen=0, at=NOW, actor=actor_of(me))

        assert latest_step(work) is None

    def test_to_a_closed_account(self) -> None:
        """With a closed account."""
        work, me, former = failing_task(), person("supervisor"), person("compliance")
        User.objects.filter(pk=former.pk).update(is_active=False)

        with pytest.raises(OwnerNotPermitted):
            assign_stuck_work(
                work=work, owner=User.objects.get(pk=former.pk), seen=0, at=NOW, actor=actor_of(me)
            )

    def test_because_the_round_is_settled_meanwhile(self) -> None:
        """The sweep settled it meanwhile."""
        work, me = waiting_round(), person("supervisor")
        settle()

        with pytest.raises(StuckWorkEnded):
            assign_stuck_work(work=work, owner=me, seen=0, at=NOW, actor=actor_of(me))

    def test_because_it_was_taken_meanwhile(self) -> None:
        """The error names the owner."""
        work, first, second = failing_task(), person("supervisor"), person("compliance")
        assign_stuck_work(work=work, owner=first, seen=0, at=NOW, actor=actor_of(first))

        with pytest.raises(StaleState) as refusal:
            assign_stuck_work(work=work, owner=second, seen=0, at=NOW, actor=actor_of(second))

        assert refusal.value.latest.owner == first
        assert [step.owner for step in steps_of(work)] == [first]

    def test_twice_in_one_place_of_its_chain(self) -> None:
        """A unique constraint on reference and sequence."""
        work, me = failing_task(), person("supervisor")
        step = {"sequence": 1, "action": "assigned", "owner": me, "at": NOW, "actor": "me"}
        StuckWorkStep.objects.create(**work.reference, **step)

        with pytest.raises(IntegrityError, match="one_task_step"), transaction.atomic():
            StuckWorkStep.objects.create(**work.reference, **step)


@pytest.mark.usefixtures("fresh_casino")
class TestEightConcurrentAssignments:
    @pytest.mark.slow
    def test_assign_it_to_one(self) -> None:
        """Seven of eight concurrent transactions are refused with the owner."""
        people = [person("supervisor", f"s-{number}") for number in range(8)]
        for run in range(5):
            work = failing_task(f"task-{run}")
            together = Barrier(len(people))

            with ThreadPoolExecutor(len(people)) as pool:
                refusals = list(pool.map(_take, [work] * 8, people, [together] * 8))

            [step] = steps_of(work)
            stale = [refusal for refusal in refusals if refusal is not None]
            assert len(stale) == 7
            assert {refusal.latest.owner for refusal in stale} == {step.owner}
            assert refusals[people.index(step.owner)] is None  # type: ignore[arg-type]  # it has one
            assert AuditRecord.objects.filter(subject=f"task:task-{run}").count() == 1


def _take(work: WorkId, person: User, together: Barrier) -> StaleState | None:
    """Takes the work at the same moment as the others; returns the refusal, if any."""
    try:
        together.wait()
        assign_stuck_work(work=work, owner=person, seen=0, at=NOW, actor=actor_of(person))
    except StaleState as refusal:
        return refusal
    finally:
        connection.close()
    return None
