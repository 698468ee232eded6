"""Closing a day records its totals, its ledger and their digest."""

import hashlib
import json
from datetime import UTC, date, datetime, timedelta

import pytest

from compliance.trail.models import AuditRecord
from payouts.reconciliation.checks.messages import difference_message
from rounds.gaming_day import end_of_day
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    NOON,
    arrive,
    close,
    closing_of,
    dealt,
    settle_at,
)
from tests.payouts.reconciliation.five_games import differences, tamper
from tests.payouts.settlement.resettlement_scenarios import void

pytestmark = pytest.mark.usefixtures("played_day")


class TestAClosedDay:
    def test_has_its_control_totals(self) -> None:
        """By hand: three rounds of 22.00; one pays 25.00, one gives 22.00 back, one is held."""
        close()

        [line] = closing_of().totals["games"]
        assert line == {
            "game": "baccarat",
            "rules": "baccarat/1",
            "table": "bac-1",
            "rounds_taken": 3,
            "rounds_settled": 2,
            "void_rounds": 1,
            "corrections": 1,
            "stakes_taken_cents": 6600,
            "stakes_taken_chips_cents": 0,
            "staked_cents": 4400,
            "staked_chips_cents": 0,
            "payout_cents": 4700,
            "payout_chips_cents": 0,
            "gross_win_cents": -300,
            "held_rounds": 1,
            "held_cents": 2200,
        }
        figures = {name: value for name, value in line.items() if isinstance(value, int)}
        assert closing_of().totals["all"] == figures

    def test_has_its_ledger_by_purpose(self) -> None:
        """The void takes back 22.00 to the house, 20.00 and 5.00 to p-1, and returns 22.00."""
        close()

        ledger = closing_of().totals["ledger"]
        assert ledger == {
            "cash": {
                "paid_over": {"transfers": 1, "cents": 500},
                "payout": {"transfers": 4, "cents": 5000},
                "reversal": {"transfers": 3, "cents": 4700},
                "stake_returned": {"transfers": 3, "cents": 2200},
                "stakes_settled": {"transfers": 2, "cents": 4400},
                "stakes_taken": {"transfers": 3, "cents": 6600},
            },
            "chips": {},
        }

    def test_is_recorded_with_totals_and_digest(self) -> None:
        """The digest can be recomputed from the record."""
        close()

        record = AuditRecord.objects.get(subject="day:2026-11-10")
        assert (record.action, record.actor, record.actor_user_id) == (
            "DAY_CLOSED_BY_SIGNATURE",
            *COMPLIANCE[:2],
        )
        text = json.dumps(
            record.details["totals"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert record.details["digest"] == hashlib.sha256(text.encode()).hexdigest()
        assert bytes(closing_of().digest).hex() == record.details["digest"]
        assert closing_of().totals == record.details["totals"]
        assert closing_of().run_id == record.details["reconciliation"]

    def test_reconciles_after_later_bookings(self) -> None:
        """A void and a late round, booked on later days."""
        close()
        void("r-1", after=1, at=AFTER + timedelta(days=1))
        arrive(dealt("r-4", NOON), at=AFTER + timedelta(days=1))
        settle_at(AFTER + timedelta(days=1))

        assert differences() == []

    @pytest.mark.parametrize(
        "statement",
        [
            """UPDATE payouts_dayclosing
                  SET totals = jsonb_set(totals, '{all,payout_cents}', '4701')""",
            "UPDATE payouts_dayclosing SET digest = sha256('')",
            "UPDATE payouts_dayclosing SET closed_at = closed_at + interval '1 second'",
            "UPDATE payouts_dayclosing SET actor = 'nobody'",
            "UPDATE payouts_dayclosing SET actor_user_id = NULL",
            "UPDATE payouts_dayclosing SET run_id = run_id + 1",
            "UPDATE payouts_dayclosing SET day = '2026-11-09'",
            "DELETE FROM payouts_dayclosing",
            "UPDATE rounds_closedday SET day = '2026-11-09'",
            "DELETE FROM rounds_closedday",
        ],
    )
    def test_detects_tampering(self, statement: str) -> None:
        """By a superuser who disables the triggers."""
        close()
        tamper(statement)

        after_tampering = differences()

        assert {difference.kind for difference in after_tampering} == {"day_closed"}
        assert {"day": "2026-11-10"} in [difference.about for difference in after_tampering]
        assert all(difference_message(difference) for difference in after_tampering)


class TestLongAndShortDays:
    @pytest.mark.parametrize(
        ("day", "ends"),
        [
            (date(2026, 3, 28), datetime(2026, 3, 28, 23, tzinfo=UTC)),
            (date(2026, 3, 29), datetime(2026, 3, 29, 22, tzinfo=UTC)),
            (date(2026, 10, 24), datetime(2026, 10, 24, 22, tzinfo=UTC)),
            (date(2026, 10, 25), datetime(2026, 10, 25, 23, tzinfo=UTC)),
        ],
        ids=["before 23 hours", "23 hours", "before 25 hours", "25 hours"],
    )
    def test_end_at_midnight_in_rome(self, day: date, ends: datetime) -> None:
        """Summer time begins on 29 March 2026 and ends on 25 October 2026."""
        assert end_of_day(day) == ends

    @pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
    def test_have_every_round_of_theirs(self, day: date) -> None:
        """From the first second to the last."""
        second = timedelta(seconds=1)
        starts, ends = end_of_day(day - timedelta(days=1)), end_of_day(day)
        times = [starts - second, starts, ends - second, ends]
        arrive(*(dealt(f"r-{at:%d-%H%M%S}", at) for at in times), at=ends)
        settle_at(ends)
        then = ends + timedelta(hours=3)
        close(day - timedelta(days=1), at=then)
        close(day, at=then)

        assert closing_of(day).totals["all"]["rounds_settled"] == 2
