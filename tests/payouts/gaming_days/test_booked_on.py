"""Settlements are booked on their gaming day while it is open, then on the open day."""

from datetime import date, datetime, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from compliance.trail.models import AuditRecord
from payouts.cases.models import GoodwillCredit
from payouts.ledger.models import Account, PayOver
from payouts.ledger.transfer_to_wallet import pay_over
from payouts.settlement.models import DailyRounds, Settlement
from rounds.booking_day import OpenBooks
from rounds.models import ClosedDay, Round
from tests.casino_in_play import STUDIO, open_table
from tests.payouts.cases.case_scenarios import credited
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NEXT,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import resettle, stored, void

_REFUSED = r"closed|needed the day after|duplicate|pgtrigger"


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """r-1 was settled on the day."""
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at()


def booked(reference: str = "r-1") -> list[date]:
    """The booking days of a round's settlements in order."""
    settlements = Settlement.objects.filter(round_id=stored(reference).id).order_by("sequence")
    return list(settlements.values_list("booked_on", flat=True))


class TestTheRule:
    """``rounds.booking_day``: the day of play, or the later of today and the first open day."""

    @pytest.mark.parametrize(
        ("closed_to", "today", "own", "expected"),
        [
            (None, NEXT, DAY, DAY),
            (DAY - timedelta(days=1), NEXT, DAY, DAY),
            (DAY, NEXT, DAY, NEXT),
            (DAY, NEXT + timedelta(days=3), DAY, NEXT + timedelta(days=3)),
            (DAY, DAY - timedelta(days=5), DAY, NEXT),
            (DAY, NEXT, date(1970, 1, 1), NEXT),
            (DAY, NEXT, date(9999, 12, 31), date(9999, 12, 31)),
        ],
    )
    def test_returns(self, closed_to: date | None, today: date, own: date, expected: date) -> None:
        """Also with wrong clocks of studios and hosts."""
        assert OpenBooks(closed_to, today).day_for(own) == expected


class TestWhileTheDayIsOpen:
    def test_all_is_booked_on_the_day_of_play(self) -> None:
        """A void in the following night included."""
        void("r-1", after=1, at=AFTER)

        assert booked() == [DAY, DAY]
        assert Round.objects.get().booked_on == DAY
        [totals] = DailyRounds.objects.values_list("day", "rounds", "void_rounds")
        assert totals == (DAY, 1, 1)

    def test_the_day_ends_at_midnight_in_rome(self) -> None:
        """22:59:59 UTC is a second before; a round opened then belongs to the day."""
        last, first = datetime.fromisoformat("2026-11-10T22:59:59Z"), AFTER - timedelta(hours=3)
        arrive(dealt("r-last", last), dealt("r-first", first), at=AFTER)

        assert stored("r-last").booked_on == DAY
        assert stored("r-first").booked_on == NEXT


class TestOnceTheDayIsClosed:
    @pytest.fixture(autouse=True)
    def _closed(self, _played: None) -> None:
        close(DAY)

    def test_a_late_round_is_booked_on_the_open_day(self) -> None:
        """Stakes and settlement, as the record says."""
        then = AFTER + timedelta(days=2)
        arrive(dealt("r-late", NOON), at=then)
        settle_at(then)

        assert stored("r-late").booked_on == date(2026, 11, 13)
        assert booked("r-late") == [date(2026, 11, 13)]
        records = AuditRecord.objects.filter(subject="round:r-late")
        booking_days = {record.action: record.details["booked_on"] for record in records}
        assert booking_days == {"ROUND_RECEIVED": "2026-11-13", "ROUND_SETTLED": "2026-11-13"}

    def test_a_correction_is_booked_on_the_open_day(self) -> None:
        """The day of play keeps its totals."""
        void("r-1", after=1, at=AFTER + timedelta(days=1))
        resettle("r-1", after=2, at=AFTER + timedelta(days=2))

        assert booked() == [DAY, date(2026, 11, 12), date(2026, 11, 13)]
        totals = DailyRounds.objects.order_by("day").values_list("day", "rounds", "void_rounds")
        assert list(totals) == [
            (DAY, 1, 0),
            (date(2026, 11, 12), 0, 1),
            (date(2026, 11, 13), 0, -1),
        ]

    def test_a_pay_over_is_booked_on_its_day_or_the_open_one(self) -> None:
        """A pay-over of a closed day enters the next."""
        winner = Account.objects.get(kind="customer", customer__pseudonym="p-1")
        pay_over(
            reference="w-1", customer_id=winner.customer_id or 0, cents=100, at=NOON, actor=STUDIO
        )
        credited("p-1", 500)

        assert PayOver.objects.get().booked_on == NEXT
        assert GoodwillCredit.objects.get().booked_on == date(2026, 11, 21)

    @pytest.mark.parametrize(
        "statement",
        [
            "INSERT INTO rounds_round SELECT * FROM taken",
            "INSERT INTO rounds_closedday VALUES ('2026-11-10')",
            "INSERT INTO rounds_closedday VALUES ('2026-11-12')",
            "INSERT INTO rounds_closedday VALUES ('2026-11-09')",
            "UPDATE rounds_closedday SET day = '2026-11-11'",
            "DELETE FROM rounds_closedday",
            "UPDATE payouts_dayclosing SET totals = '{}'",
            "DELETE FROM payouts_dayclosing",
        ],
    )
    def test_the_database_refuses_direct_changes(self, statement: str) -> None:
        """Rows of the closed day, days out of order, changes of a closing."""
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMP TABLE taken AS SELECT * FROM rounds_round")
            cursor.execute("UPDATE taken SET id = gen_random_uuid()")

            with pytest.raises(DatabaseError, match=_REFUSED), transaction.atomic():
                cursor.execute(statement)

        assert list(ClosedDay.objects.values_list("day", flat=True)) == [DAY]
        assert Round.objects.count() == 1

    def test_the_database_refuses_a_settlement_of_the_closed_day(self) -> None:
        """With the statement of the services."""
        void("r-1", after=1, at=AFTER + timedelta(days=1))
        settlement = Settlement.objects.get(sequence=2)
        settlement.sequence, settlement.booked_on = 3, DAY

        with pytest.raises(IntegrityError, match=r"closed|disagrees"), transaction.atomic():
            settlement.save(force_insert=True)
