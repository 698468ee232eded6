"""The exceptions queue lists all exceptions, oldest first."""

from datetime import datetime, timedelta

import pytest

from compliance.trail.people import actor_of
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.failing_tasks import record_task_failure, record_task_success
from payouts.stuck_work.kinds import WorkQuery, count_stuck
from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.queue import Position, position_of, stuck_page
from payouts.stuck_work.steps import OwnerFilter
from payouts.stuck_work.work import StuckWork, WorkId
from rounds.models import QueuedRound
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    TASK,
    conflict,
    failing_round,
    failing_task,
    person,
    quarantined,
)

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def stuck(at: datetime = NOW, **query: object) -> list[StuckWork]:
    """The first page of exceptions at a time."""
    return stuck_page(WorkQuery(at, **query)).works  # type: ignore[arg-type]


class TestARound:
    def test_is_not_stuck_while_a_worker_may_still_come(self) -> None:
        """Before five minutes have passed."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        assert stuck(NOW + 5 * MINUTE - timedelta(seconds=1)) == []

    def test_is_stuck_after_five_minutes_without_an_attempt(self) -> None:
        """Workers may be down without any failure."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        [work] = stuck(NOW + 5 * MINUTE)

        assert (work.id.kind, work.tries, work.error, work.since) == (WorkKind.ROUND, 0, "", NOW)

    @pytest.mark.parametrize(("tries", "expected"), [(2, 0), (3, 1)])
    def test_is_stuck_after_three_failures_at_any_age(self, tries: int, expected: int) -> None:
        """With its latest error and next attempt."""
        open_table()
        failing_round(tries=tries)

        works = stuck(NOW)

        assert len(works) == expected
        assert all("baccarat/0" in work.error and work.due_at for work in works)

    def test_that_failed_once_is_stuck_five_minutes_after_it_is_due(self) -> None:
        """Five minutes after its next attempt was due."""
        open_table()
        failing_round(tries=1)

        due = NOW + timedelta(seconds=5)
        assert stuck(due + 5 * MINUTE - timedelta(seconds=1)) == []
        assert len(stuck(due + 5 * MINUTE)) == 1

    def test_that_is_held_is_not_stuck(self) -> None:
        """Held rounds have a list of their own."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()

        assert stuck(NOW + timedelta(days=30)) == []

    def test_leaves_the_list_with_its_settlement(self) -> None:
        """A settled round is not stuck."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        assert stuck(NOW + timedelta(days=30)) == []


class TestADocument:
    def test_in_conflict_or_quarantine_is_stuck_at_once(self) -> None:
        """No sweep resolves it."""
        open_table()
        works = [conflict(), quarantined()]

        assert [work.id for work in stuck()] == works


class TestATask:
    def test_that_fails_three_times_is_stuck(self) -> None:
        """With first failure, count and latest error."""
        failing_task(failures=2)
        assert stuck(NOW + MINUTE) == []
        record_task_failure(task=TASK, error="Last", takes_arguments=False, at=NOW + 2 * MINUTE)

        [work] = stuck(NOW + 2 * MINUTE)

        assert (work.since, work.tries, work.error) == (NOW, 3, "Last")

    def test_of_the_night_that_failed_once_is_stuck(self) -> None:
        """Its next run is a day away."""
        failing_task("nightly", failures=1)

        assert len(stuck(NOW + 5 * MINUTE)) == 1

    def test_stays_five_minutes_after_its_recovery(self) -> None:
        """For people who are looking for it."""
        failing_task()
        record_task_success(task=TASK, at=NOW + 3 * MINUTE)

        assert len(stuck(NOW + 7 * MINUTE)) == 1
        assert stuck(NOW + 8 * MINUTE) == []

    def test_that_recovered_at_once_was_never_stuck(self) -> None:
        """A single failure is ignored."""
        failing_task(failures=1)
        record_task_success(task=TASK, at=NOW + MINUTE)

        assert stuck(NOW + 5 * MINUTE) == []

    def test_that_fails_on_one_of_two_hosts_is_stuck(self) -> None:
        """Successes elsewhere do not hide its failures."""
        for minute in range(3):
            record_task_failure(
                task=TASK, error="no disk", takes_arguments=False, at=NOW + minute * MINUTE
            )
            record_task_success(task=TASK, at=NOW + minute * MINUTE)

        [work] = stuck(NOW + 3 * MINUTE)

        assert work.tries == 3

    def test_that_fails_again_much_later_begins_anew(self) -> None:
        """Old failures do not count."""
        failing_task()
        record_task_success(task=TASK, at=NOW + 3 * MINUTE)

        record_task_failure(task=TASK, error="new", takes_arguments=False, at=NOW + 9 * MINUTE)

        latest = FailingTask.objects.latest("id")
        assert FailingTask.objects.count() == 2
        assert (latest.failures, latest.first_failed_at) == (1, NOW + 9 * MINUTE)


class TestTheList:
    def test_begins_with_the_oldest_of_any_kind(self) -> None:
        """Rounds, documents and tasks."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        earlier = NOW - MINUTE
        record_task_failure(task=TASK, error="", takes_arguments=False, at=earlier)

        works = stuck(NOW + 5 * MINUTE)

        assert [work.id.kind for work in works] == [WorkKind.TASK, WorkKind.ROUND]

    def test_is_filtered_by_kind(self) -> None:
        """A quarantined document is not among the conflicts."""
        open_table()
        in_conflict = conflict()
        quarantined()

        works = stuck(kinds=[WorkKind.CONFLICT])

        assert [work.id for work in works] == [in_conflict]

    def test_is_filtered_by_owner(self) -> None:
        """Assigned to me, or unassigned."""
        open_table()
        works = [failing_round(), conflict(), quarantined(), failing_task()]
        me, other = person("supervisor"), person("compliance")
        for work, owner in zip(works, [me, other, None, me], strict=True):
            if owner is not None:
                assign_stuck_work(work=work, owner=owner, seen=0, at=NOW, actor=actor_of(me))
        assign_stuck_work(work=works[1], owner=None, seen=1, at=NOW, actor=actor_of(other))

        own_work = stuck(NOW, owner=OwnerFilter.MINE, user_id=me.pk)
        nobodys = stuck(NOW, owner=OwnerFilter.NOBODYS)

        assert {work.id for work in own_work} == {works[0], works[3]}
        assert {work.id for work in nobodys} == {works[1], works[2]}

    @pytest.mark.slow
    @pytest.mark.parametrize("size", [1, 2, 3, 7])
    def test_is_read_page_by_page_there_and_back_without_loss(self, size: int) -> None:
        """Each item once, for any page size."""
        open_table()
        ingest(lines(*(baccarat_round(f"r-{n}") for n in range(10))))
        for number in range(10):
            conflict(f"c-{number}")
            quarantined(f"{{{number}")
            failing_task(f"task-{number}", failures=1)
        QueuedRound.objects.filter(round__reference__in=["r-2", "r-5"]).update(attempts=4)
        query = WorkQuery(NOW + 10 * MINUTE)
        whole = [work.id for work in stuck_page(query, size=100).works]

        listed: list[WorkId] = []
        page = stuck_page(query, size=size)
        listed += [work.id for work in page.works]
        while page.later is not None:
            page = stuck_page(query, after=page.later, size=size)
            listed += [work.id for work in page.works]
        back = [[work.id for work in page.works]]
        while page.earlier is not None:
            page = stuck_page(query, before=page.earlier, size=size)
            back.insert(0, [work.id for work in page.works])

        assert len(whole) == 50  # the ten rounds of the conflicts wait, too
        assert listed == whole
        assert [work for works in back for work in works] == whole

    def test_pages_survive_removed_items(self) -> None:
        """The second page is not shifted."""
        open_table()
        ingest(lines(*(baccarat_round(f"r-{n}") for n in range(4))))
        query = WorkQuery(NOW + 10 * MINUTE)
        first = stuck_page(query, size=2)
        QueuedRound.objects.filter(pk__in=[work.id.key for work in first.works]).delete()

        second = stuck_page(query, after=first.later, size=2)

        assert len(second.works) == 2
        assert {work.id for work in second.works} & {work.id for work in first.works} == set()

    @pytest.mark.parametrize("text", [None, "", "1", "1.2.3", "1.2.3.x", "-1.0.0.0", "9" * 99])
    def test_refuses_invalid_positions(self, text: str | None) -> None:
        """Any other text is None."""
        assert position_of(text) is None

    def test_positions_survive_serialisation(self) -> None:
        """To an address and back."""
        position = Position(12, 0, 7, 3)

        assert position_of(str(position)) == position


class TestTheNumber:
    def test_is_that_of_the_list(self) -> None:
        """A failing and an overdue round, a conflict, a document, a task; not the waiting round."""
        open_table()
        failing_round()
        conflict()
        ingest(lines(baccarat_round("r-overdue")))
        quarantined()
        failing_task()
        at = NOW + timedelta(hours=3)

        assert count_stuck(at, most=50) == len(stuck(at))
        assert {work.id.kind for work in stuck(at)} == set(WorkKind)

    def test_ends_at_the_most_of_each_kind(self) -> None:
        """Which bounds the time of the query."""
        for number in range(3):
            quarantined(f"broken {number}")

        assert count_stuck(NOW, most=2) == 2
