"""Held rounds of a day are acknowledged when it is closed."""

from datetime import timedelta

import pytest
from django.db import DatabaseError

from compliance.trail.models import AuditRecord
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.exceptions import HeldNotAcknowledged
from payouts.gaming_days.pending_items import pending_items
from payouts.tasks import close_days_task
from rounds.models import ClosedDay
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    DAY,
    NEXT,
    close,
    closing_of,
    reconcile_at,
)
from tests.payouts.reconciliation.five_games import tamper
from tests.payouts.settlement.resettlement_scenarios import void

pytestmark = pytest.mark.usefixtures("played_day")


class TestWhatIsHeld:
    """r-3 is held, with 22.00."""

    @pytest.mark.parametrize("acknowledged", [Amount(0, 0), Amount(1, 2199), Amount(2, 2200)])
    def test_is_acknowledged_by_a_person_to_the_cent(self, acknowledged: Amount) -> None:
        """Other figures are refused with the current ones."""
        reconcile_at()

        with pytest.raises(HeldNotAcknowledged, match=r"1 held rounds with 22\.00") as refusal:
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=acknowledged)

        assert refusal.value.acknowledged == acknowledged
        assert refusal.value.held == Amount(1, 2200)
        assert not ClosedDay.objects.exists()

    def test_is_acknowledged_as_it_is_now(self) -> None:
        """A round decided meanwhile changes the figures."""
        reconcile_at()
        shown = pending_items(DAY).all_held
        void("r-3", after=0, at=AFTER)

        with pytest.raises(HeldNotAcknowledged):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=shown)
        close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=Amount(0, 0))

        assert closing_of().held_rounds == 0

    def test_is_recorded_with_the_person(self) -> None:
        """In the closing and in the audit record."""
        close()

        details = AuditRecord.objects.get(subject="day:2026-11-10").details
        held = {name: details[name] for name in ("held_rounds", "held_cents", "acknowledged")}
        assert held == {"held_rounds": 1, "held_cents": 2200, "acknowledged": True}
        closing = closing_of()
        assert (closing.held_rounds, closing.held_cents) == (1, 2200)
        assert (closing.actor, closing.actor_user_id) == COMPLIANCE[:2]

    def test_is_recorded_by_the_nightly_task(self) -> None:
        """It closes the day without an acknowledgement."""
        reconcile_at(AFTER)

        close_days_task()

        details = AuditRecord.objects.get(subject="day:2026-11-10").details
        assert (details["held_rounds"], details["held_cents"]) == (1, 2200)
        assert details["acknowledged"] is False
        assert closing_of().actor_user_id is None

    @pytest.mark.parametrize("column", ["held_rounds", "held_cents"])
    def test_cannot_be_written_otherwise(self, column: str) -> None:
        """Generated columns take it from the totals."""
        close()

        with pytest.raises(DatabaseError, match="can only be updated to DEFAULT"):
            tamper(f"UPDATE payouts_dayclosing SET {column} = 0")

    def test_is_held_no_more_by_a_later_decision(self) -> None:
        """The next day counts it as decided; the closed day stays."""
        close()
        void("r-3", after=0, at=AFTER + timedelta(hours=1))

        assert pending_items(NEXT).all_held == Amount(0, 0)
        assert pending_items(DAY).held == Amount(1, 2200)
