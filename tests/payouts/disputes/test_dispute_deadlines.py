"""Due dates of the steps of a dispute, and reminders."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from compliance.trail.models import AuditRecord
from payouts.disputes.calendar import Term
from payouts.disputes.close_dispute import FOLLOWER
from payouts.disputes.models import DisputeReminder, DisputeStep, DisputeTerm
from payouts.disputes.queries import overdue_disputes
from payouts.disputes.remind_disputes import remind_disputes
from payouts.disputes.set_dispute_term import InvalidTerm, set_dispute_term
from payouts.disputes.status import State
from payouts.tasks import follow_disputes_task
from tests.casino_in_play import NOW
from tests.payouts.disputes.dispute_scenarios import (
    PAOLO,
    answer,
    ask,
    close,
    disputed,
    escalate,
    play,
    reject,
    reopen,
    take,
)

pytestmark = pytest.mark.django_db

DAY: Final = timedelta(days=1)
# NOW is Saturday 21 November 2026, 23:00 in Rome; days end at 23:00 UTC.


def midnight(month: int, day: int, year: int = 2026) -> datetime:
    """The end of the day in Rome, in winter."""
    return datetime(year, month, day, 23, tzinfo=UTC)


class TestADueDate:
    def test_follows_each_step(self) -> None:
        """Two working days to take it, thirty days to decide, and so on."""
        play()
        dispute = disputed()
        assert dispute.steps.get(sequence=1).due_at == midnight(11, 24)

        assert take(dispute, at=NOW + 2 * DAY).due_at == midnight(12, 21)
        assert reject(dispute, at=NOW + 5 * DAY).due_at == midnight(
            12, 28
        )  # the 26th is a Saturday
        assert escalate(dispute, at=NOW + 6 * DAY).due_at == midnight(2, 25, 2027)

    def test_of_a_closed_dispute_is_none(self) -> None:
        """Nothing is due."""
        play()
        dispute = disputed()
        take(dispute)
        reject(dispute)

        closed = close(dispute)

        assert (closed.due_at, closed.remind_at) == (None, None)

    def test_of_a_decision_is_suspended_by_a_question(self) -> None:
        """Ten days of waiting move it by ten days."""
        play()
        dispute = disputed()
        take(dispute, at=NOW + DAY)
        question = ask(dispute, at=NOW + 2 * DAY)
        assert question.due_at == midnight(12, 9)  # fifteen days on is the Immacolata

        answered = answer(dispute, at=NOW + 12 * DAY)

        assert answered.due_at == midnight(12, 31)

    def test_of_a_decision_is_counted_anew_when_the_dispute_comes_back(self) -> None:
        """Thirty days from the reopening."""
        play()
        dispute = disputed()
        take(dispute)
        reject(dispute)

        assert reopen(dispute, at=NOW + 20 * DAY).due_at == midnight(1, 11, 2027)  # 10 is a Sunday
        assert take(dispute, at=NOW + 25 * DAY).due_at == midnight(1, 11, 2027)

    def test_keeps_the_terms_of_its_step(self) -> None:
        """New terms apply to later steps."""
        play()
        first = disputed()

        arguments = {"at": NOW, "actor": PAOLO}
        set_dispute_term(state=State.OPENED, term=Term(1, are_working_days=True), **arguments)  # type: ignore[arg-type]

        assert first.steps.get(sequence=1).due_at == midnight(11, 24)
        assert disputed(bet_number=0).steps.get(sequence=1).due_at == midnight(11, 23)
        record = AuditRecord.objects.get(action="DISPUTE_TERM_SET")
        assert record.subject == "dispute term:opened"


class TestATerm:
    @pytest.mark.parametrize(("state", "days"), [(State.CLOSED, 3), (State.OPENED, 0)])
    def test_is_refused(self, state: State, days: int) -> None:
        """For an unknown state, or of no days."""
        with pytest.raises(InvalidTerm, match="found"):
            set_dispute_term(state=state, term=Term(days, True), at=NOW, actor=PAOLO)

        assert not DisputeTerm.objects.exists()


class TestAnOverdueDispute:
    def test_is_listed_from_its_due_date_on(self) -> None:
        """Until the next step."""
        play()
        dispute = disputed()
        due = midnight(11, 24)

        assert not overdue_disputes(due - timedelta(seconds=1)).exists()
        assert list(overdue_disputes(due)) == [dispute]
        take(dispute, at=due)

        assert not overdue_disputes(due).exists()


class TestAReminder:
    def test_comes_once_a_step(self) -> None:
        """On the last working day, once per step."""
        play()
        dispute = disputed()
        early, late = midnight(11, 23), midnight(11, 25)

        assert remind_disputes(at=early - timedelta(seconds=1), actor=FOLLOWER) == 0
        assert remind_disputes(at=early, actor=FOLLOWER) == 1
        assert [remind_disputes(at=late, actor=FOLLOWER) for _ in range(3)] == [0, 0, 0]
        take(dispute, at=late)
        assert remind_disputes(at=late, actor=FOLLOWER) == 0
        assert remind_disputes(at=midnight(12, 31), actor=FOLLOWER) == 1

        reminders = DisputeReminder.objects.order_by("sequence").values_list("sequence", "due_at")
        assert list(reminders) == [(1, midnight(11, 24)), (2, midnight(12, 21))]
        records = AuditRecord.objects.filter(action="DISPUTE_REMINDED").order_by("id")
        assert [record.details["owner"] for record in records] == ["", PAOLO.name]

    def test_is_none_after_a_step_in_time(self) -> None:
        """Only the latest step counts."""
        play()
        dispute = disputed()
        take(dispute)
        reject(dispute)
        close(dispute)

        assert remind_disputes(at=NOW + 400 * DAY, actor=FOLLOWER) == 0

    def test_is_given_by_the_beat_s_task(self) -> None:
        """The task may run more than once."""
        play()
        long_ago = datetime(2026, 1, 7, 9, 0, tzinfo=UTC)
        disputed(at=long_ago)

        follow_disputes_task()
        follow_disputes_task()

        assert DisputeReminder.objects.count() == 1
        assert DisputeStep.objects.count() == 1
