"""Legal holds: placed by one person, lifted by another; they retain months."""

from datetime import date
from io import StringIO
from typing import Final

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from compliance.retention.legal_holds import (
    AlreadyLifted,
    LegalHoldIncomplete,
    NotByAnother,
    holds_in_force,
    lift_hold,
    place_hold,
)
from compliance.retention.models import LegalHold, LegalHoldLift
from compliance.retention.retention_periods import month_retentions
from compliance.storage.partitions import Month, make_all_months
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from tests.casino_in_play import NOW
from tests.compliance.retention.closed_days import closed
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db

TODAY: Final = date(2026, 11, 22)
OLD: Final = Month(2020, 3)


def placed(
    first_day: date = date(2020, 3, 9), last_day: date | None = date(2020, 3, 9)
) -> LegalHold:
    """A hold placed by compliance."""
    return place_hold(
        first_day=first_day,
        last_day=last_day,
        about="p-1, complaint",
        reference="Trib. 12/2026",
        at=NOW,
        actor=LORENZO,
    )


def reason_of(month: Month = OLD) -> str:
    """The reason why a month is retained."""
    [reason] = [entry.reason for entry in month_retentions(TODAY) if entry.month == month]
    return reason


class TestAHold:
    def test_is_placed_by_one_and_lifted_by_another(self) -> None:
        """Both are recorded."""
        hold = placed()
        assert list(holds_in_force()) == [hold]
        with pytest.raises(NotByAnother):
            lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=LORENZO)
        with pytest.raises(LegalHoldIncomplete):
            lift_hold(hold_id=hold.pk, reason=" ", at=NOW, actor=GIULIA)
        lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=GIULIA)

        assert not holds_in_force().exists()
        with pytest.raises(AlreadyLifted):
            lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=GIULIA)
        records = AuditRecord.objects.filter(subject=f"hold:{hold}").order_by("id")
        expected = [("HOLD_PLACED", LORENZO.name), ("HOLD_LIFTED", GIULIA.name)]
        assert list(records.values_list("action", "actor")) == expected

    def test_says_what_it_is_about(self) -> None:
        """Days in order, and a person with an account."""
        with pytest.raises(
            LegalHoldIncomplete, match="last_day: found 2020-03-08; needed 2020-03-09"
        ):
            placed(last_day=date(2020, 3, 8))
        days = {"first_day": TODAY, "last_day": None, "at": NOW}
        with pytest.raises(LegalHoldIncomplete):
            place_hold(**days, about="p-1", reference=" ", actor=LORENZO)  # type: ignore[arg-type]
        with pytest.raises(NotByAnother):
            place_hold(**days, about="p-1", reference="x", actor=Actor("night"))  # type: ignore[arg-type]
        assert not LegalHold.objects.exists()

    def test_is_not_lifted_by_its_placer_in_sql(self) -> None:
        """The database refuses it, also for an account of the same name."""
        hold = placed()
        for name, user in ((GIULIA.name, hold.actor_user_id), (LORENZO.name.upper(), 99)):
            with pytest.raises(DatabaseError, match="another has to lift it"), transaction.atomic():
                LegalHoldLift.objects.create(
                    hold=hold, reason="x", lifted_at=NOW, actor=name, actor_user_id=user
                )


class TestAMonth:
    @pytest.fixture(autouse=True)
    def _months(self) -> None:
        make_all_months([OLD, OLD.plus(3)])

    def test_may_be_archived_once_it_is_old_closed_and_not_held(self) -> None:
        """Otherwise there is a reason."""
        assert reason_of() == "its days are not closed"
        closed(date(2026, 11, 20))
        assert reason_of() == ""
        assert reason_of(Month(2026, 11)) == "younger than 5 years"

    @pytest.mark.parametrize(
        ("first_day", "last_day", "is_held"),
        [
            (date(2020, 3, 31), date(2020, 4, 1), True),
            (date(2020, 2, 1), date(2020, 2, 1), True),  # the month before counts
            (date(2020, 4, 30), date(2020, 4, 30), True),  # and the one after
            (date(2019, 1, 1), None, True),
            (date(2020, 1, 1), date(2020, 1, 31), False),
            (date(2020, 5, 1), None, False),
        ],
    )
    def test_is_held_by_a_hold_on_its_days(
        self,
        first_day: date,
        last_day: date | None,
        is_held: bool,
    ) -> None:
        """Until it is lifted."""
        closed(date(2026, 11, 20))
        hold = placed(first_day, last_day)

        assert reason_of() == (f"held: {hold}" if is_held else "")
        lift_hold(hold_id=hold.pk, reason="over", at=NOW, actor=GIULIA)
        assert reason_of() == ""

    def test_is_listed_by_a_command(self) -> None:
        """With the holds in force."""
        closed(date(2026, 11, 20))
        hold = placed()
        days = StringIO()
        call_command("retention", stdout=days)

        lines = days.getvalue().splitlines()
        assert lines[0] == (
            f"{hold}: 2020-03-09 to 2020-03-09, p-1, complaint (Trib. 12/2026, {LORENZO.name})"
        )
        assert f"2020-03: held: {hold}" in lines
        assert "2020-06: may be archived" in lines
