"""No month leaves the database, or comes back, while a check reads one snapshot."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from io import StringIO
from typing import Final

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.archive.moved_months.months_apart import MonthInUse
from compliance.trail.models import AuditRecord
from payouts.carried_forward.detached_months import KEEP_MONTHS
from payouts.gaming_days.close_day import review_day
from payouts.gaming_days.exceptions import DayNotCloseable
from payouts.recheck.verify_share import verify_batch_of
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation, work_on_part
from tests.compliance.archive.archived_months import Archived
from tests.compliance.archive.reading_sessions import reading
from tests.compliance.archive.removable_months import (
    OWNER,
    YEARS_LATER,
    detach,
    findings,
    nothing_changes,
    restore,
)


class TestASnapshot:
    """Partitions are no part of it: a month that leaves meanwhile would be missed."""

    @pytest.mark.slow
    def test_keeps_the_month(self, removable: Archived) -> None:
        """From before its first query on, although it has read no table of the month."""
        with (
            reading(KEEP_MONTHS),
            nothing_changes(),
            pytest.raises(MonthInUse, match="found tables in use"),
        ):
            detach(removable)
        assert findings() == []

    @pytest.mark.slow
    def test_keeps_the_month_away(self, removable: Archived) -> None:
        """What is attached again would be counted twice."""
        detach(removable)

        with reading(KEEP_MONTHS), nothing_changes(), pytest.raises(MonthInUse):
            restore(removable)

    @pytest.mark.parametrize("name", ["reconciliation", "random share", "closing", "verify_trail"])
    def test_of_every_check_does(self, name: str, removable: Archived) -> None:
        """The lock is taken before the transaction sees anything."""
        with CaptureQueriesContext(connection) as queries:
            _SNAPSHOTS[name]()

        statements = [query["sql"] for query in queries]
        begun = next(at for at, text in enumerate(statements) if text.startswith("SET TRANSACTION"))
        assert statements[begun + 1] == KEEP_MONTHS


def _reconcile_a_part() -> None:
    run = begin_reconciliation(scope=EVERYTHING, at=YEARS_LATER, actor=OWNER)
    assert work_on_part(run.pk, now=lambda: YEARS_LATER)


def _verify_a_record() -> None:
    assert verify_batch_of(AuditRecord.objects.earliest("id").pk).texts == []


def _review_a_day() -> None:
    with suppress(DayNotCloseable):
        review_day(date(2032, 1, 1), at=YEARS_LATER)


_SNAPSHOTS: Final[Mapping[str, Callable[[], object]]] = {
    "reconciliation": _reconcile_a_part,
    "random share": _verify_a_record,
    "closing": _review_a_day,
    "verify_trail": lambda: call_command("verify_trail", stdout=StringIO()),
}
