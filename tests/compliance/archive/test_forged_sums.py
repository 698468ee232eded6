"""Forged sums of a detached month are found, whoever forges them."""

import json
from typing import Any, Final

import pytest
from django.db import transaction
from django.utils import translation

from compliance.archive.archive_list import LIST_NAME, ArchiveList
from compliance.archive.verify_archive import BadArchive
from compliance.archive.verify_sums import verify_sums
from compliance.trail.key_ranges import month_keys
from compliance.trail.models import AuditRecord
from payouts.carried_forward.detached_months import detached_months
from payouts.reconciliation.carried_sums import carried_sums, carry_forward, sums_of_month
from payouts.reconciliation.checks.carried import check_detached_month
from payouts.reconciliation.checks.differences import CheckResult
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.models import ReconcileDifference
from tests.compliance.archive.archive_changes import list_as_written
from tests.compliance.archive.archived_months import MONTH, Archived
from tests.compliance.archive.removable_months import (
    differences_in_words,
    execute,
)
from tests.payouts.reconciliation.five_games import tamper

_WINNER: Final = "(SELECT max(account_id) FROM payouts_carriedbalance WHERE cents > 0)"
_MORE: Final = f"UPDATE payouts_account SET balance_cents = balance_cents + 1 WHERE id = {_WINNER}"


class TestForgedSums:
    """By the owner of the tables, who can write and change everything in the database."""

    @pytest.mark.parametrize(
        "changes",
        [
            [f"UPDATE payouts_carriedbalance SET cents = cents + 1 WHERE account_id = {_WINNER}"],
            ["DELETE FROM payouts_carriedbalance WHERE cents = 0"],
            [("INSERT INTO payouts_carriedbalance SELECT record_id, 800, 1 FROM payouts_carriedday"
             " LIMIT 1")],
            [("UPDATE payouts_carriedday SET day = day + 1 WHERE day = (SELECT max(day) FROM"
             " payouts_carriedday)")],
            [("UPDATE payouts_carriedday SET sums = jsonb_set(sums, '{taken,0,2}', '7')"
             " WHERE sums ? 'taken'")],
            [("DELETE FROM rounds_roundname WHERE reference = (SELECT max(reference) FROM"
             " rounds_roundname)")],
            [("UPDATE rounds_roundname SET digest = sha256('x') WHERE reference = (SELECT"
             " max(reference) FROM rounds_roundname)")],
            ["UPDATE rounds_storedruling SET said = '{}' WHERE sequence = 2"],
            ["DELETE FROM rounds_storedruling WHERE sequence = 2"],
        ],
    )  # fmt: skip
    def test_are_found(self, changes: list[str], detached: Archived) -> None:
        """By the digests of the records, wherever else they would be found."""
        assert list(_differences_of_months()) == []

        tamper(*changes)

        assert len(_differences_of_months()) == 1

    @pytest.mark.slow
    def test_are_found_with_the_balance_and_the_record_changed(self, detached: Archived) -> None:
        """One cent for a winner: sums, balances and the record of detaching fit together."""
        _carry_a_cent_more()

        [text] = _differences_of_months()
        assert "digest of its sums in the record of the archive" in text

    @pytest.mark.slow
    def test_by_two_roles_are_found_in_the_files(self, detached: Archived) -> None:
        """With the record of the archive, and the key that signs its list, forged as well."""
        forged = _carry_a_cent_more()
        record = AuditRecord.objects.get(action="ARCHIVE_WRITTEN")
        _rewrite(record, carried_sha256=forged)
        assert _differences_of_months() == []

        members = json.loads((detached.folder / LIST_NAME).read_bytes())
        archive = ArchiveList.from_bytes(list_as_written({**members, "carried_sha256": forged}))
        with pytest.raises(BadArchive, match=f"carried_sha256: found {forged}; needed"):
            verify_sums(detached.folder, archive)
        verify_sums(detached.folder, detached.archive)

    @pytest.mark.slow
    def test_of_a_month_that_never_left_count_twice(self, removable: Archived) -> None:
        """An invented detachment of a month that is in the database is a difference everywhere."""
        sums = sums_of_month(month_keys(MONTH))
        record = AuditRecord.objects.latest("id")
        tamper(
            f"UPDATE trail_auditrecord SET action = 'MONTH_DETACHED', subject = 'archive:{MONTH}'"
            f" WHERE id = '{record.pk}'"
        )
        with transaction.atomic():
            carry_forward(sums, record.pk)
        _rewrite(record, archive="2026-11.1", carried_sha256=sums.sha256)

        assert {"Balance", "Daily total of bets"} <= {
            it.partition(",")[0] for it in differences_in_words()
        }

    def test_cannot_be_changed_while_triggers_are_on(self, detached: Archived) -> None:
        """Not even by the owner."""
        for table in ("payouts_carriedbalance", "payouts_carriedday"):
            for change in (f"UPDATE {table} SET record_id = record_id", f"DELETE FROM {table}"):
                with pytest.raises(Exception, match="Cannot"), transaction.atomic():
                    execute(change)


def _carry_a_cent_more() -> str:
    """Forges balance, sums and the record of the detachment; returns the digest."""
    tamper(f"UPDATE payouts_carriedbalance SET cents = cents + 1 WHERE account_id = {_WINNER}",
           "UPDATE payouts_carriedbalance SET cents = cents - 1 WHERE account_id ="
           " (SELECT min(account_id) FROM payouts_carriedbalance WHERE cents < 0)",
           _MORE,
           "UPDATE payouts_account SET balance_cents = balance_cents - 1 WHERE id ="
           " (SELECT min(account_id) FROM payouts_carriedbalance WHERE cents < 0)")  # fmt: skip
    record = AuditRecord.objects.get(action="MONTH_DETACHED")
    [text] = _differences_of_months()
    assert "Sums of a detached month, month 2026-11" in text
    digest = carried_sums(record.pk).sha256
    _rewrite(record, carried_sha256=digest)
    assert not [it for it in differences_in_words() if it.startswith(("Balance", "Sum of"))]
    return digest


def _rewrite(record: AuditRecord, **details: Any) -> None:
    """Its leaf no longer matches, which the log shows; here only the sums are looked at."""
    record.refresh_from_db()
    text = json.dumps({**record.details, **details}, sort_keys=True, separators=(",", ":"))
    tamper("UPDATE trail_auditrecord SET details = %(text)s WHERE id = %(id)s",
           text=text, id=record.pk)  # fmt: skip


def _differences_of_months() -> list[str]:
    result = CheckResult()
    for month in detached_months():
        check_detached_month(month, result)
    return _texts(result)


def _texts(result: CheckResult) -> list[str]:
    with translation.override("en"):
        return [
            difference_message(ReconcileDifference(**it._asdict())) for it in result.differences
        ]
