"""Closings of days in the name of a person who did not sign: all are named."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Final, cast

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, ProgrammingError, connection, transaction

from compliance.exports.bundle.closing_proofs import proofs_of_closing
from compliance.exports.scope import Snapshot, one_day
from compliance.retention.retention_periods import month_retentions
from compliance.signatures.models import DecisionSignature
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day, close_days, review_day
from payouts.gaming_days.closing_record import closing_of, closing_record
from payouts.gaming_days.exceptions import UnsignedClosing
from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.bookings import booked_on
from payouts.reconciliation.control_totals import control_totals
from payouts.tasks import close_days_task
from rounds.models import ClosedDay
from tests.attacks.forgeries import as_owner, as_role, as_web, key_of, signed
from tests.casino_in_play import open_table
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
from tests.payouts.reconciliation.five_games import differences
from tests.payouts.settlement.resettlement_scenarios import GIULIA
from tests.signers import with_roles

AT: Final = AFTER + timedelta(minutes=30)


@pytest.fixture(autouse=True)
def played(fresh_casino: str) -> None:
    """A day with a settled round, and both persons' keys in force."""
    for actor in (GIULIA, COMPLIANCE):
        assert actor.signer is not None
        actor.signer.approve()  # type: ignore[attr-defined]  # a FirstKey
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at()


def forged(
    by: DatabaseRole = DatabaseRole.WEB, actor: Actor = COMPLIANCE, **changed: Any
) -> DayClosing:
    """The rows of a closing in Lorenzo's name, by SQL of a role."""
    totals = {**control_totals(DAY, booked_on(DAY)), **changed}
    closing = closing_of(DAY, totals, reconcile_at(), at=AT, actor=actor)
    with as_role(by):
        ClosedDay.objects.create(day=DAY)
        closing.save(force_insert=True)
    return closing


def assert_is_not_closed(day: date = DAY) -> None:
    """No bundle proves the closing, and no further day is closed."""
    open_connection = cast("psycopg.Connection[Any]", connection.connection)
    view = Snapshot(open_connection, one_day(day), database=DEFAULT_DB_ALIAS)
    with pytest.raises(UnsignedClosing):
        proofs_of_closing(view)
    assert closings_after() == []
    with pytest.raises(UnsignedClosing):
        review_day(day + timedelta(days=1), at=AFTER + timedelta(days=1))
    assert str(day) in month_retentions(date(2099, 1, 1))[0].reason


def by_night() -> None:
    """The nightly job closes the day."""
    reconcile_at()
    close_days_task()


def closings_after() -> list[date]:
    """The days that the nightly job closes two days later."""
    then = AFTER + timedelta(days=1)
    reconcile_at(then)
    return [closing.day for closing in close_days(now=lambda: then, actor=Actor("night"))]


def faults() -> list[str]:
    """What the verifiers name."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


class TestAClosing:
    @pytest.mark.parametrize("by", [close, by_night])
    def test_that_was_signed_or_by_the_night_has_no_fault(self, by: Callable[[], Any]) -> None:
        """Nor differs it from the books; the next day can be closed."""
        by()

        assert faults() == []
        assert differences() == []
        assert closings_after() == [NEXT]

    def test_of_rows_alone_is_named(self) -> None:
        """By the reconciliation as well."""
        forged()

        [fault] = faults()
        assert fault == (
            "row of DAY_CLOSED_BY_SIGNATURE of day:2026-11-10 by Lorenzo Ferri: "
            "found no audit record of it"
        )
        assert len(differences()) == 1
        assert_is_not_closed()

    def test_with_an_unsigned_record_is_named(self) -> None:
        """The row and the record."""
        closing = forged()
        with as_web():
            record_entry(closing.entry, at=AT, actor=Actor(*COMPLIANCE[:2]))

        assert len([fault for fault in faults() if "found no signature" in fault]) == 2
        assert_is_not_closed()

    def test_signed_by_another_person_is_named(self) -> None:
        """Giulia's key does not sign for Lorenzo."""
        closing = forged()
        with as_web():
            signed(closing, key_of(GIULIA))

        assert len([fault for fault in faults() if "another person's key" in fault]) == 2
        assert_is_not_closed()

    def test_signed_by_somebody_without_a_role_is_not_closed(self) -> None:
        """An administrator has a key, and closes no days."""
        ada = with_roles("Ada Villa", 31, "administrator")
        closing = forged(actor=ada)
        with as_web():
            signed(closing, key_of(ada))

        assert_is_not_closed()

    def test_with_other_totals_than_were_signed_is_named(self) -> None:
        """The text names all totals."""
        closing = forged(day="2026-11-09")
        with as_web():
            honest = control_totals(DAY, booked_on(DAY))
            signed(
                closing_of(DAY, honest, closing.run, at=AT, actor=COMPLIANCE), key_of(COMPLIANCE)
            )

        assert "found no audit record of it" in faults()[0]
        assert_is_not_closed()

    def test_in_a_name_that_a_worker_recorded_is_named(self) -> None:
        """The worker may record closings of the nightly job, which has no account."""
        closing = forged(by=DatabaseRole.WORKER)
        with as_role(DatabaseRole.WORKER):
            record_entry(closing_record(closing), at=AT, actor=Actor(*COMPLIANCE[:2]))

        assert any("found no audit record of it" in fault for fault in faults())
        assert_is_not_closed()

    def test_with_a_signature_of_another_day_is_named(self) -> None:
        """The text names the day."""
        signed_closing = close()
        totals = {**signed_closing.totals, "day": str(NEXT)}
        closing = closing_of(NEXT, totals, signed_closing.run, at=AT, actor=COMPLIANCE)
        with as_web():
            ClosedDay.objects.create(day=NEXT)
            closing.save(force_insert=True)
            record_id = record_entry(closing.entry, at=AT, actor=Actor(*COMPLIANCE[:2]))
            replayed = DecisionSignature.objects.get()
            replayed.record_id, replayed.signed_with = record_id, [record_id]
            replayed.save(force_insert=True)

        assert len(faults()) == 2
        assert_is_not_closed(NEXT)

    @pytest.mark.parametrize(
        "columns",
        [
            {"totals": {"day": "2026-11-09"}},
            {"actor": COMPLIANCE.name},
            {"actor_user_id": COMPLIANCE.user_id},
            {"closed_at": AT + timedelta(days=9)},
        ],
        ids=lambda columns: next(iter(columns)),
    )
    def test_by_night_that_was_changed_is_named(self, columns: dict[str, Any]) -> None:
        """By somebody who may disable triggers; the record of the night says otherwise."""
        by_night()
        with transaction.atomic(), as_owner():
            DayClosing.objects.update(**columns)

        assert len(faults()) == 1
        assert_is_not_closed()

    def test_without_totals_lets_no_further_day_be_closed(self) -> None:
        """A row that refuses bookings alone."""
        with as_web():
            ClosedDay.objects.create(day=date(2099, 1, 1))

        assert closings_after() == []
        with pytest.raises(UnsignedClosing, match="found no totals of it"):
            review_day(DAY, at=AT)

    def test_is_not_recorded_as_that_of_the_night(self) -> None:
        """The web role may not."""
        closing = forged()
        record = closing_record(closing)

        refused = pytest.raises(ProgrammingError, match="may not record DAY_CLOSED")
        with refused, transaction.atomic(), as_web():
            record_entry(record, at=AT, actor=Actor(*COMPLIANCE[:2]))

    def test_without_a_key_closes_nothing(self) -> None:
        """A program cannot, either."""
        reconcile_at()
        for actor in (Actor(*COMPLIANCE[:2]), Actor("night")):
            with pytest.raises(SignatureRequired):
                close_day(day=DAY, at=AT, actor=actor, acknowledged=Amount(0, 0))

        assert not DayClosing.objects.exists()
        assert not ClosedDay.objects.exists()
