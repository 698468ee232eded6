"""Days are closed in order, and only once they are over and reconciled."""

from datetime import date, datetime, timedelta
from typing import Final

import pytest

from compliance.trail.actor import Actor
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day, close_days
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.gaming_days.exceptions import (
    BooksDiffer,
    DayNotOver,
    DayOutOfOrder,
    NotReconciled,
    RoundsAwaitSettlement,
)
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    DAY,
    NEXT,
    NOON,
    arrive,
    close,
    closing_of,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.reconciliation.five_games import tamper

pytestmark = pytest.mark.usefixtures("played_day")
NIGHT: Final = Actor("nightly closing")
HELD: Final = Amount(1, 2200)


class TestDaysInOrder:
    def test_begin_with_the_first_round(self) -> None:
        """A day without rounds is closed like any other."""
        assert next_day_to_close() == DAY
        later = end_of_day(NEXT) + timedelta(hours=3)
        close(DAY, at=later)
        close(NEXT, at=later)

        figures = closing_of(NEXT).totals["all"]
        assert {name: value for name, value in figures.items() if value} == {
            "held_rounds": 1,
            "held_cents": 2200,
        }
        assert next_day_to_close() == date(2026, 11, 12)

    @pytest.mark.parametrize("day", [NEXT, DAY - timedelta(days=1)])
    def test_leave_none_out(self, day: date) -> None:
        """Neither a later day nor one before all rounds can be closed."""
        reconcile_at(end_of_day(NEXT))

        with pytest.raises(DayOutOfOrder, match="2026-11-10") as refusal:
            close_day(day=day, at=end_of_day(NEXT), actor=COMPLIANCE, acknowledged=HELD)

        assert refusal.value.needed == DAY

    def test_close_once(self) -> None:
        """A second attempt is refused."""
        close()

        with pytest.raises(DayOutOfOrder):
            close_day(day=DAY, at=AFTER + timedelta(hours=1), actor=COMPLIANCE, acknowledged=HELD)

    def test_can_be_closed_together(self) -> None:
        """All days that are over."""
        now = end_of_day(NEXT) + timedelta(hours=1)
        reconcile_at(now)

        closed = close_days(now=lambda: now, actor=NIGHT)

        assert [closing.day for closing in closed] == [DAY, NEXT]
        assert ClosedDay.objects.count() == 2


class TestADayThatStaysOpen:
    def test_is_one_that_is_not_over(self) -> None:
        """A minute before midnight in Rome."""
        with pytest.raises(DayNotOver):
            close_day(
                day=DAY,
                at=end_of_day(DAY) - timedelta(minutes=1),
                actor=COMPLIANCE,
                acknowledged=HELD,
            )

    def test_is_one_in_which_a_round_waits(self) -> None:
        """The error names it."""
        arrive(dealt("r-4", NOON), at=AFTER)
        reconcile_at()

        with pytest.raises(RoundsAwaitSettlement, match="r-4") as refusal:
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=HELD)

        assert refusal.value.count == 1

    @pytest.mark.parametrize("begun", [None, end_of_day(DAY) - timedelta(seconds=1)])
    def test_is_one_that_was_not_reconciled_after_its_end(self, begun: datetime | None) -> None:
        """An earlier reconciliation saw only a part of the day."""
        if begun is not None:
            reconcile_at(begun)

        with pytest.raises(NotReconciled, match="2026-11-10"):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=HELD)

    def test_is_one_whose_reconciliation_found_differences(self) -> None:
        """The error names the round."""
        tamper("UPDATE rounds_round SET cards[1] = 'P 4H' WHERE reference = 'r-1'")

        with pytest.raises(BooksDiffer, match="r-1") as refusal:
            close()

        assert refusal.value.rounds == ["r-1"]
        assert not ClosedDay.objects.exists()

    @pytest.mark.parametrize(
        ("statement", "rounds"),
        [
            (
                """UPDATE payouts_transfer SET amount_cents = amount_cents + 1
                    WHERE purpose = 'stakes_settled' AND origin =
                          (SELECT round_id FROM rounds_roundname WHERE reference = 'r-1')""",
                ["r-1"],
            ),
            (
                """UPDATE payouts_settlement SET payout_cents = payout_cents - 1 WHERE round_id =
                          (SELECT round_id FROM rounds_roundname WHERE reference = 'r-1')""",
                ["r-1"],
            ),
            (
                """DELETE FROM payouts_transfer WHERE purpose = 'stakes_taken' AND origin =
                          (SELECT round_id FROM rounds_roundname WHERE reference = 'r-3')""",
                ["r-3"],
            ),
            ("UPDATE payouts_dailybets SET payout_cents = payout_cents + 1", []),
            ("UPDATE payouts_dailyrounds SET void_rounds = 0", []),
        ],
    )
    def test_is_one_whose_books_changed_after_the_reconciliation(
        self, statement: str, rounds: list[str]
    ) -> None:
        """The sums of the day are compared again when it is closed."""
        reconcile_at()
        tamper(statement)

        with pytest.raises(BooksDiffer) as refusal:
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=HELD)

        assert refusal.value.rounds == rounds
        assert refusal.value.differences

    def test_is_one_whose_late_round_was_tampered_with(self) -> None:
        """Rounds since the reconciliation are replayed."""
        reconcile_at()
        arrive(dealt("r-4", NOON), at=AFTER)
        settle_at(AFTER)
        tamper("UPDATE rounds_round SET cards[1] = 'P 4H' WHERE reference = 'r-4'")

        with pytest.raises(BooksDiffer, match="r-4"):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=HELD)

    def test_is_one_with_very_many_rounds_since(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It has to be reconciled again."""
        monkeypatch.setattr("payouts.gaming_days.close_day._MOST_SINCE", 0)
        reconcile_at()
        arrive(dealt("r-4", NOON), at=AFTER)
        settle_at(AFTER)

        with pytest.raises(NotReconciled, match="1 rounds"):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=HELD)
