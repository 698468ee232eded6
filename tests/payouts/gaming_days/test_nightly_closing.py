"""Days are closed by the nightly task."""

import pytest

from payouts.gaming_days.models import DayClosing
from payouts.tasks import close_days_task
from rounds.models import ClosedDay
from tests.payouts.gaming_days.day_scenarios import AFTER, DAY, reconcile_at

pytestmark = pytest.mark.usefixtures("played_day")


class TestTheTask:
    def test_closes_what_can_be_closed_and_leaves_the_rest(self) -> None:
        """Days that are not reconciled stay open; the task may run twice."""
        reconcile_at(AFTER)

        close_days_task()
        close_days_task()

        assert ClosedDay.objects.filter(day=DAY).count() == 1
        assert DayClosing.objects.get(day=DAY).actor == "nightly closing"
