"""Days without bookings, closed together in the name of a person who did not sign or see them."""

from datetime import timedelta
from typing import Final

import pytest

from compliance.signatures.models import DecisionSignature
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.record import record_entry
from payouts.gaming_days import close_empty_days
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_empty_days import empty_days, sign_empty_days
from payouts.gaming_days.closing_record import closing_of
from payouts.gaming_days.exceptions import (
    DayNotCloseable,
    EmptyDaysChanged,
    HeldNotAcknowledged,
    UnsignedClosing,
)
from payouts.gaming_days.models import DayClosing
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay
from tests.attacks.forgeries import as_web
from tests.attacks.guards import Guard, Refused, unguarded
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

FIRST: Final = DAY + timedelta(days=1)
LAST: Final = DAY + timedelta(days=3)
NIGHT: Final = end_of_day(LAST) + timedelta(hours=3)


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """A closed day, three days without bookings, and a person whose key is in force."""
    assert COMPLIANCE.signer is not None
    COMPLIANCE.signer.approve()  # type: ignore[attr-defined]  # a FirstKey
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at()
    close()
    reconcile_at(NIGHT)


def sign(**changed: object) -> list[DayClosing]:
    """Closes the days; ``changed`` is what the form says otherwise."""
    shown = {"first": FIRST, "last": LAST, "acknowledged": Amount(), **changed}
    return sign_empty_days(**shown, at=NIGHT, actor=COMPLIANCE)  # type: ignore[arg-type]  # the form's


def test_a_day_that_was_added_to_a_joint_signature_is_named() -> None:
    """Its row and record claim the signature of the others, whose text lacks the day."""
    sign(last=LAST)
    [*_, signed] = DecisionSignature.objects.order_by("pk")
    later = LAST + timedelta(days=1)
    before = DayClosing.objects.get(day=LAST)
    totals = {**before.totals, "day": str(later)}
    added = closing_of(later, totals, before.run, at=NIGHT, actor=COMPLIANCE)

    with as_web():
        ClosedDay.objects.create(day=later)
        added.save(force_insert=True)
        record_id = record_entry(added.entry, at=NIGHT, actor=COMPLIANCE)
        signed.record_id = record_id
        signed.signed_with = [*signed.signed_with, record_id]
        signed.save(force_insert=True)

    faults: list[str] = []
    verify_rows(faults.append)
    verify_signatures(faults.append)
    assert [fault for fault in faults if f"day:{later}" in fault]


def test_after_a_closing_that_nobody_signed_nothing_is_closed() -> None:
    """Rows alone say that the next day is closed."""
    with as_web():
        ClosedDay.objects.create(day=FIRST)

    with pytest.raises(UnsignedClosing):
        sign(first=FIRST + timedelta(days=1))


_REFUSED: Final = (
    Refused(
        close_empty_days.sign_empty_days,
        "(empty.days[0], empty.last) != (first, last)",
        lambda: sign(last=LAST - timedelta(days=1)),
        EmptyDaysChanged,
    ),
    Refused(
        close_empty_days.sign_empty_days,
        "acknowledged != empty.held",
        lambda: sign(acknowledged=Amount(1, 2200)),
        HeldNotAcknowledged,
    ),
    Refused(
        close_empty_days.sign_empty_days,
        "empty is None",
        lambda: [sign(), sign()],
        DayNotCloseable,
        noticed_by=AttributeError,
    ),
)
GUARDS: Final = (
    *(refused.guard for refused in _REFUSED),
    Guard(
        close_empty_days.sign_empty_days,
        "require_last_closing()",
        test_after_a_closing_that_nobody_signed_nothing_is_closed,
        passing="None",
    ),
)


@pytest.mark.parametrize("refused", _REFUSED, ids=str)
def test_what_the_person_did_not_see_is_refused(refused: Refused) -> None:
    """Nothing is closed."""
    refused.is_refused()

    assert empty_days(at=NIGHT) is None or ClosedDay.objects.count() == 1


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Days count as closed that the person did not see."""
    guard.is_needed(request)


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which closing together is refused is in it."""
    assert unguarded(close_empty_days, GUARDS) == set()
