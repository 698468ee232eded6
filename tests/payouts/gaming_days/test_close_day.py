"""Closing a day: what goes on record, and what stands in the way."""

import hashlib
import json
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day, close_days
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.gaming_days.exceptions import (
    BooksDiffer,
    DayNotOver,
    DayOutOfOrder,
    HeldNotAcknowledged,
    NotReconciled,
    RoundsAwaitSettlement,
)
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import pending_items
from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import pay_over
from payouts.reconciliation.checks.messages import difference_message
from payouts.tasks import close_days_task
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import STUDIO, open_table
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    DAY,
    NEXT,
    NOON,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.reconciliation.five_games import differences, tamper
from tests.payouts.settlement.resettlement_scenarios import void
from tests.payouts.stuck_work.stuck_scenarios import person

NIGHT: Final = Actor("nightly closing")


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """On the day r-1 was settled, r-2 voided, r-3 held; p-1 took 5.00 out."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON), dealt("r-3", NOON, held=True))
    settle_at()
    void("r-2", after=1, at=NOON)
    winner = Account.objects.get(kind="customer", customer__pseudonym="p-1")
    pay_over(reference="w-1", customer_id=winner.customer_id or 0, cents=500, at=NOON, actor=STUDIO)


def closing_of(day: date = DAY) -> DayClosing:
    """The closing as it is stored."""
    return DayClosing.objects.get(day=day)


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

    def test_is_on_record_with_totals_and_digest(self) -> None:
        """Anybody can work the digest out again from what the record says."""
        close()

        record = AuditRecord.objects.get(subject="day:2026-11-10")
        assert (record.action, record.actor, record.actor_user_id) == ("DAY_CLOSED", *COMPLIANCE)
        text = json.dumps(
            record.details["totals"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert record.details["digest"] == hashlib.sha256(text.encode()).hexdigest()
        assert bytes(closing_of().digest).hex() == record.details["digest"]
        assert closing_of().totals == record.details["totals"]
        assert closing_of().run_id == record.details["reconciliation"]

    def test_reconciles_ever_after(self) -> None:
        """Whatever is booked later, the day's totals follow from the facts."""
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
    def test_cannot_be_tampered_with_unseen(self, statement: str) -> None:
        """By a superuser who lifts the triggers."""
        close()
        tamper(statement)

        found = differences()

        assert {one.kind for one in found} == {"day_closed"}
        assert {"day": "2026-11-10"} in [one.about for one in found]
        assert all(difference_message(one) for one in found)


class TestDaysInOrder:
    def test_begin_with_the_first_round(self) -> None:
        """And a day without one is closed like any other."""
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
        """Neither the day after the first open one, nor one before all rounds."""
        reconcile_at(end_of_day(NEXT))

        with pytest.raises(DayOutOfOrder, match="2026-11-10") as refusal:
            close_day(day=day, at=end_of_day(NEXT), actor=COMPLIANCE)

        assert refusal.value.needed == DAY

    def test_close_once(self) -> None:
        """A second attempt is out of order."""
        close()

        with pytest.raises(DayOutOfOrder):
            close_day(day=DAY, at=AFTER + timedelta(hours=1), actor=COMPLIANCE)

    def test_are_closed_all_at_once_where_they_can(self) -> None:
        """Two days that are over, and not the third, which is not."""
        now = end_of_day(NEXT) + timedelta(hours=1)
        reconcile_at(now)

        closed = close_days(now=lambda: now, actor=NIGHT)

        assert [one.day for one in closed] == [DAY, NEXT]
        assert ClosedDay.objects.count() == 2


class TestADayThatStaysOpen:
    def test_is_one_that_is_not_over(self) -> None:
        """A minute before midnight in Rome."""
        with pytest.raises(DayNotOver):
            close_day(day=DAY, at=end_of_day(DAY) - timedelta(minutes=1), actor=COMPLIANCE)

    def test_is_one_in_which_a_round_waits(self) -> None:
        """The refusal names it."""
        arrive(dealt("r-4", NOON), at=AFTER)
        reconcile_at()

        with pytest.raises(RoundsAwaitSettlement, match="r-4") as refusal:
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE)

        assert refusal.value.count == 1

    @pytest.mark.parametrize("begun", [None, end_of_day(DAY) - timedelta(seconds=1)])
    def test_is_one_that_was_not_reconciled_after_its_end(self, begun: datetime | None) -> None:
        """One that was begun before saw only a part of the day."""
        if begun is not None:
            reconcile_at(begun)

        with pytest.raises(NotReconciled, match="2026-11-10"):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE)

    def test_is_one_whose_reconciliation_found_differences(self) -> None:
        """The refusal names the round."""
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
        """The day's own sums are compared anew when it is closed."""
        reconcile_at()
        tamper(statement)

        with pytest.raises(BooksDiffer) as refusal:
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE)

        assert refusal.value.rounds == rounds
        assert refusal.value.differences

    def test_is_one_whose_late_round_was_tampered_with(self) -> None:
        """What came since the reconciliation is replayed in the closing itself."""
        reconcile_at()
        arrive(dealt("r-4", NOON), at=AFTER)
        settle_at(AFTER)
        tamper("UPDATE rounds_round SET cards[1] = 'P 4H' WHERE reference = 'r-4'")

        with pytest.raises(BooksDiffer, match="r-4"):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE)

    def test_is_one_with_very_many_rounds_since(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Then it is reconciled once more."""
        monkeypatch.setattr("payouts.gaming_days.close_day._MOST_SINCE", 0)
        reconcile_at()
        arrive(dealt("r-4", NOON), at=AFTER)
        settle_at(AFTER)

        with pytest.raises(NotReconciled, match="1 rounds"):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE)


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
    def test_hold_every_round_of_theirs(self, day: date) -> None:
        """One in their first second, one in their last, and neither neighbour."""
        second = timedelta(seconds=1)
        starts, ends = end_of_day(day - timedelta(days=1)), end_of_day(day)
        times = [starts - second, starts, ends - second, ends]
        arrive(*(dealt(f"r-{at:%d-%H%M%S}", at) for at in times), at=ends)
        settle_at(ends)
        then = ends + timedelta(hours=3)
        close(day - timedelta(days=1), at=then)
        close(day, at=then)

        assert closing_of(day).totals["all"]["rounds_settled"] == 2


class TestWhatIsHeld:
    """r-3 is held, with 22.00."""

    @pytest.mark.parametrize("acknowledged", [None, Amount(0, 0), Amount(1, 2199), Amount(2, 2200)])
    def test_is_acknowledged_by_a_person_to_the_cent(self, acknowledged: Amount | None) -> None:
        """Nothing less, nothing else; the refusal has what was shown and what is now."""
        reconcile_at()

        with pytest.raises(HeldNotAcknowledged, match=r"1 held rounds with 22\.00") as refusal:
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=acknowledged)

        assert refusal.value.acknowledged == acknowledged
        assert refusal.value.held == Amount(1, 2200)
        assert not ClosedDay.objects.exists()

    def test_is_acknowledged_as_it_is_now(self) -> None:
        """A round that was decided after the page was shown changes both figures."""
        reconcile_at()
        shown = pending_items(DAY).all_held
        void("r-3", after=0, at=AFTER)

        with pytest.raises(HeldNotAcknowledged):
            close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=shown)
        close_day(day=DAY, at=AFTER, actor=COMPLIANCE, acknowledged=Amount(0, 0))

        assert closing_of().held_rounds == 0

    def test_is_on_record_with_the_person(self) -> None:
        """In the closing's own columns and in the audit record."""
        close()

        details = AuditRecord.objects.get(subject="day:2026-11-10").details
        held = {name: details[name] for name in ("held_rounds", "held_cents", "acknowledged")}
        assert held == {"held_rounds": 1, "held_cents": 2200, "acknowledged": True}
        closing = closing_of()
        assert (closing.held_rounds, closing.held_cents) == (1, 2200)
        assert (closing.actor, closing.actor_user_id) == COMPLIANCE

    def test_is_on_record_of_the_night_too(self) -> None:
        """Held rounds do not stop the nightly job, which acknowledges nothing."""
        reconcile_at(AFTER)

        close_days_task()

        details = AuditRecord.objects.get(subject="day:2026-11-10").details
        assert (details["held_rounds"], details["held_cents"]) == (1, 2200)
        assert details["acknowledged"] is False
        assert closing_of().actor_user_id is None

    @pytest.mark.parametrize("column", ["held_rounds", "held_cents"])
    def test_cannot_be_written_otherwise(self, column: str) -> None:
        """PostgreSQL takes it from the totals, whoever writes and without any trigger."""
        close()

        with pytest.raises(DatabaseError, match="can only be updated to DEFAULT"):
            tamper(f"UPDATE payouts_dayclosing SET {column} = 0")

    def test_is_held_no_more_by_a_later_decision(self) -> None:
        """The next day counts it as held no more; the closed one as it was."""
        close()
        void("r-3", after=0, at=AFTER + timedelta(hours=1))

        assert pending_items(NEXT).all_held == Amount(0, 0)
        assert pending_items(DAY).held == Amount(1, 2200)


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def _lorenzo(self) -> None:
        """Of compliance, with a phone, who may close days."""
        give_phone(person("compliance", "Lorenzo"))

    def test_closes_with_what_is_held_acknowledged(self) -> None:
        """The first attempt prints what is held and what to add; the second closes, by name."""
        reconcile_at(datetime.now(tz=UTC))
        out = StringIO()

        with pytest.raises(CommandError, match="not closed: found no acknowledgement"):
            call_command("close_day", by="Lorenzo", stdout=out)
        assert "held: r-3, booked on 2026-11-10, 22.00" in out.getvalue()
        assert "--held 1 2200" in out.getvalue()
        assert not ClosedDay.objects.exists()
        call_command("close_day", "2026-11-10", by="Lorenzo", held=[1, 2200], stdout=out)

        assert (
            "2026-11-10 is closed by Lorenzo: 2 rounds settled, 1 corrections, gross win -3.00,"
            " 1 held rounds with 22.00" in out.getvalue()
        )
        assert closing_of().actor == "Lorenzo"

    def test_closes_all_days_without_held_rounds(self) -> None:
        """All days that are over."""
        void("r-3", after=0, at=NOON)
        reconcile_at(datetime.now(tz=UTC))

        call_command("close_day", by="Lorenzo", stdout=StringIO())

        assert ClosedDay.objects.filter(day=NEXT).exists()

    def test_says_what_differs(self) -> None:
        """A line for each, and a status that is not 0."""
        reconcile_at()
        tamper("UPDATE payouts_dailyrounds SET void_rounds = 0")
        out = StringIO()

        with pytest.raises(CommandError, match="2026-11-10 is not closed: found 1 differences"):
            call_command("close_day", "2026-11-10", by="Lorenzo", stdout=out)

        assert "void rounds 0; needed void rounds 1" in out.getvalue()

    @pytest.mark.parametrize(
        ("arguments", "options", "refusal"),
        [
            (["2026-11-10"], {}, "--by"),
            (["2026-11-10"], {"by": "Nobody"}, "found nobody called Nobody"),
            (["2026-11-10"], {"by": "Giulia"}, "found Giulia, who may not close days"),
            (["2026-11-10"], {"by": "Marco"}, "found Marco, who may not close days"),
            ([], {"by": "Lorenzo", "held": [1, 2200]}, "--held: found no DAY"),
        ],
    )
    def test_names_a_person_who_may(
        self, arguments: list[str], options: dict[str, Any], refusal: str
    ) -> None:
        """Nobody, a supervisor, or who has no second factor; an acknowledgement is of one day."""
        give_phone(person("supervisor", "Giulia"))
        person("compliance", "Marco")
        reconcile_at()

        with pytest.raises(CommandError, match=refusal):
            call_command("close_day", *arguments, **options)

        assert not ClosedDay.objects.exists()


class TestTheTask:
    def test_closes_what_can_be_closed_and_leaves_the_rest(self) -> None:
        """Twice does no harm; a day that is not reconciled waits for a person."""
        reconcile_at(AFTER)

        close_days_task()
        close_days_task()

        assert ClosedDay.objects.filter(day=DAY).count() == 1
        assert DayClosing.objects.get(day=DAY).actor == "nightly closing"
