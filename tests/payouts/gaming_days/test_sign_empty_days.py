"""Several days without bookings are closed by one signature, each with its own record."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

import pytest

from compliance.signatures.models import DecisionSignature
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_empty_days import (
    empty_days,
    next_day_to_close,
    sign_empty_days,
)
from payouts.gaming_days.exceptions import EmptyDaysChanged, HeldNotAcknowledged
from payouts.gaming_days.models import DayClosing
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import (
    COMPLIANCE,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.reconciliation.five_games import differences

FIRST: Final = DAY + timedelta(days=1)
LAST: Final = DAY + timedelta(days=4)
NIGHT: Final = end_of_day(LAST) + timedelta(hours=3)
HELD: Final = Amount(1, 2200)


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """A closed day with a held round, and four days without bookings after it."""
    assert COMPLIANCE.signer is not None
    COMPLIANCE.signer.approve()  # type: ignore[attr-defined]  # a FirstKey
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON, held=True))
    settle_at()
    close()
    reconcile_at(NIGHT)


def sign(
    *,
    first: date = FIRST,
    last: date = LAST,
    at: datetime = NIGHT,
    actor: Actor = COMPLIANCE,
    acknowledged: Amount = HELD,
) -> list[date]:
    """Closes the days as the page shows them; those that are closed."""
    closings = sign_empty_days(
        first=first, last=last, at=at, actor=actor, acknowledged=acknowledged
    )
    return [closing.day for closing in closings]


class TestEmptyDaysSignedTogether:
    def test_each_have_a_closing_and_a_record_of_their_own(self) -> None:
        """All signed by one assertion; the verifiers and the reconciliation find no fault."""
        assert sign() == [FIRST + timedelta(days=number) for number in range(4)]

        faults: list[str] = []
        verify_rows(faults.append)
        verify_signatures(faults.append)
        assert faults == []
        assert differences() == []
        records = AuditRecord.objects.filter(action="DAY_CLOSED_BY_SIGNATURE").exclude(
            subject=f"day:{DAY}"
        )
        assert sorted(record.subject for record in records) == [
            f"day:{FIRST + timedelta(days=number)}" for number in range(4)
        ]
        signatures = DecisionSignature.objects.filter(record_id__in=records.values("pk"))
        assert len({bytes(row.signature) for row in signatures}) == 1
        assert {len(row.signed_with) for row in signatures} == {4}
        assert next_day_to_close() == LAST + timedelta(days=1)

    def test_name_the_held_rounds_and_the_person(self) -> None:
        """Each closing records 1 held round with 22.00."""
        sign()

        closings = DayClosing.objects.filter(day__gte=FIRST)
        assert {(row.actor, row.held_rounds, row.held_cents) for row in closings} == {
            ("Lorenzo Ferri", 1, 2200)
        }

    def test_end_before_the_first_day_with_a_booking(self) -> None:
        """A round on the third day leaves two."""
        third = datetime(2026, 11, 13, 12, tzinfo=UTC)
        arrive(dealt("r-3", third), at=third + timedelta(minutes=5))
        settle_at(third + timedelta(minutes=6))
        reconcile_at(NIGHT)

        assert sign(last=FIRST + timedelta(days=1)) == [FIRST, FIRST + timedelta(days=1)]
        assert empty_days(at=NIGHT) is None

    @pytest.mark.parametrize(
        ("first", "last"),
        [(FIRST, LAST - timedelta(days=1)), (FIRST + timedelta(days=1), LAST), (DAY, LAST)],
    )
    def test_are_those_that_the_person_was_shown(self, first: date, last: date) -> None:
        """Else nothing is closed."""
        with pytest.raises(EmptyDaysChanged):
            sign(first=first, last=last)

        assert ClosedDay.objects.count() == 1

    @pytest.mark.parametrize("acknowledged", [Amount(), Amount(1, 2100), Amount(2, 2200)])
    def test_need_the_acknowledgement_of_what_is_held(self, acknowledged: Amount) -> None:
        """Other figures than those that are recorded close nothing."""
        with pytest.raises(HeldNotAcknowledged):
            sign(acknowledged=acknowledged)

        assert ClosedDay.objects.count() == 1

    def test_need_a_signature(self) -> None:
        """The text to sign names all four days; nothing is written."""
        with pytest.raises(SignatureRequired) as required:
            sign(actor=Actor(*COMPLIANCE[:2]))

        subjects = [f"day:{FIRST + timedelta(days=number)}" for number in range(4)]
        assert required.value.subjects == subjects
        assert ClosedDay.objects.count() == DayClosing.objects.count() == 1

    def test_need_a_reconciliation_after_their_end(self) -> None:
        """A day later another day is over that was not reconciled."""
        assert empty_days(at=NIGHT + timedelta(days=1)) == empty_days(at=NIGHT)
