"""The books of a casino in play stay right without a detached month, and forged sums are found."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest
from django.db import transaction
from django.utils import translation

from compliance.archive.archive_list import LIST_NAME, ArchiveList
from compliance.archive.moved_months.detach_month import MonthNotDetached
from compliance.archive.verify_archive import BadArchive
from compliance.archive.verify_sums import verify_sums
from compliance.trail.key_ranges import month_keys
from compliance.trail.models import AuditRecord
from payouts.carried_forward.detached_months import detached_months
from payouts.carried_forward.models import CarriedBalance, CarriedDay
from payouts.gaming_days.models import DayClosing
from payouts.ledger.models import Account
from payouts.reconciliation.carried_sums import carried_sums, carry_forward, sums_of_month
from payouts.reconciliation.checks.carried import check_detached_month
from payouts.reconciliation.checks.differences import CheckResult
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.models import ReconcileDifference
from payouts.settlement.models import Settlement
from rounds.models import QuarantinedDocument, Round, RoundName
from tests.casino_in_play import open_table
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.compliance.archive.removable_months import (
    YEARS_LATER,
    detach,
    drop_parts,
    execute,
    findings,
    nothing_changes,
    restore,
)
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, settle_at
from tests.payouts.reconciliation.five_games import deal, tamper

_WINNER: Final = "(SELECT max(account_id) FROM payouts_carriedbalance WHERE cents > 0)"
_MORE: Final = f"UPDATE payouts_account SET balance_cents = balance_cents + 1 WHERE id = {_WINNER}"


@pytest.fixture
def detached(removable: Archived) -> Archived:
    """The month is detached, and its tables are dropped."""
    detach(removable)
    drop_parts()
    return removable


class TestACasinoInPlay:
    def test_goes_on_without_the_month(self, detached: Archived) -> None:
        """Rounds are taken, settled and corrected, customers of the month among them."""
        before = {account.pk: account.balance_cents for account in Account.objects.all()}

        played = datetime(2032, 1, 2, 10, tzinfo=UTC)
        arrive(dealt("later-1", played), dealt("later-2", played), at=played + timedelta(hours=1))
        settle_at(played + timedelta(hours=2))

        assert Settlement.objects.count() == 2
        assert findings() == []
        assert before != {account.pk: account.balance_cents for account in Account.objects.all()}

    def test_takes_no_round_of_the_month_again(self, detached: Archived) -> None:
        """Its id stays: the same document is known, another one is refused with the reason."""
        deal(40, seed="archive")
        assert not Round.objects.exists()
        name = RoundName.objects.order_by("round_id").filter(reference__startswith="bac")[0]
        at = datetime(2032, 1, 2, 10, tzinfo=UTC)

        tally = arrive(dealt(name.reference, at), at=at + timedelta(hours=1))

        assert (tally.rounds, tally.conflicts, tally.quarantined) == (0, 0, 1)
        refused = QuarantinedDocument.objects.get(round_reference=name.reference)
        assert (refused.field, refused.needed) == (
            "round",
            "the content that is archived, or its month restored first",
        )
        assert not Round.objects.filter(reference=name.reference).exists()
        assert findings() == []

    def test_settles_a_late_round_of_the_month(self, detached: Archived) -> None:
        """It is in the database like any other; the month has what was archived of it."""
        late = datetime(2026, 11, 25, 10, tzinfo=UTC)
        arrive(dealt("late", late), at=late + timedelta(hours=1))
        settle_at(YEARS_LATER)

        assert Settlement.objects.get().round.reference == "late"
        assert findings() == []

    def test_counts_its_rows_again_once_it_is_restored(self, detached: Archived) -> None:
        """And its sums again when it is detached again, by another record."""
        restore(detached)
        assert findings() == []

        detach(detached)

        assert findings() == []
        assert CarriedDay.objects.values("record_id").distinct().count() == 2

    def test_keeps_closed_days_as_they_were_closed(self, detached: Archived) -> None:
        """The totals of a day of the month are recomputed from its sums alone."""
        day = date(2026, 11, 20)
        totals = DayClosing.objects.get(day=day).totals["all"]
        assert totals["rounds_taken"] > 0
        assert totals["held_rounds"] == 1

        tamper(
            "UPDATE payouts_dailybets SET payout_cents = payout_cents + 1 WHERE day = %(day)s"
            " AND (kind, table_id, stripe) = (SELECT kind, table_id, stripe FROM"
            " payouts_dailybets WHERE day = %(day)s LIMIT 1)",
            day=day,
        )

        assert any("Daily total of bets" in text for text in _differences())


class TestDetaching:
    def test_needs_right_books(self, removable: Archived) -> None:
        """A difference must not become part of a sum."""
        tamper("UPDATE payouts_account SET balance_cents = balance_cents + 1 WHERE id = 8")
        assert len(_differences()) == 2

        with nothing_changes(), pytest.raises(MonthNotDetached, match="reconciliation: found 2 d"):
            detach(removable)
        assert not CarriedBalance.objects.exists()

    def test_needs_books_that_were_compared_since(self, removable: Archived) -> None:
        """Since the archive was written."""
        tamper("UPDATE payouts_reconcilerun SET started_at = '2026-12-01'")

        with nothing_changes(), pytest.raises(MonthNotDetached, match="reconciliation: found none"):
            detach(removable)

    def test_needs_the_sums_that_were_signed(self, removable: Archived) -> None:
        """What a day has of the month is no row of the month, so no digest of rows shows it."""
        tamper("UPDATE payouts_payover SET booked_on = booked_on + 1")

        with nothing_changes(), pytest.raises(MonthNotDetached, match=r"needed \w{64} as in 2026"):
            detach(removable)


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

    def test_are_found_with_the_balance_and_the_record_changed(self, detached: Archived) -> None:
        """One cent for a winner: sums, balances and the record of detaching fit together."""
        _carry_a_cent_more()

        [text] = _differences_of_months()
        assert "digest of its sums in the record of the archive" in text

    def test_by_two_roles_are_found_in_the_files(self, detached: Archived) -> None:
        """With the record of the archive, and the key that signs its list, forged as well."""
        forged = _carry_a_cent_more()
        record = AuditRecord.objects.get(action="ARCHIVE_WRITTEN")
        _rewrite(record, carried_sha256=forged)
        assert _differences_of_months() == []

        members = json.loads((detached.folder / LIST_NAME).read_bytes())
        archive = ArchiveList.from_bytes(_as_written({**members, "carried_sha256": forged}))
        with pytest.raises(BadArchive, match=f"carried_sha256: found {forged}; needed"):
            verify_sums(detached.folder, archive)
        verify_sums(detached.folder, detached.archive)

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

        assert {"Balance", "Daily total of bets"} <= {it.partition(",")[0] for it in _differences()}

    def test_cannot_be_changed_while_triggers_are_on(self, detached: Archived) -> None:
        """Not even by the owner."""
        for table in ("payouts_carriedbalance", "payouts_carriedday"):
            for change in (f"UPDATE {table} SET record_id = record_id", f"DELETE FROM {table}"):
                with pytest.raises(Exception, match="Cannot"), transaction.atomic():
                    execute(change)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE payouts_transfer SET amount_cents = amount_cents + 1 WHERE line = 0 AND entry = 1",
        "UPDATE payouts_settlement SET booked_on = booked_on + 1",
        "UPDATE rounds_round SET staked_cents = staked_cents + 1",
        "UPDATE payouts_betsettlement SET payout_cents = payout_cents + 1",
        "UPDATE rounds_bet SET kind = 'tie' WHERE kind = 'player'",
        "DELETE FROM rounds_validation WHERE status = 'held'",
        "UPDATE payouts_goodwillcredit SET booked_on = booked_on + 1",
    ],
)
def test_the_sums_have_everything_that_is_booked(change: str, removable: Archived) -> None:
    """Every value that a balance, a total or a closing is made of changes the digest."""
    before = sums_of_month(month_keys(MONTH))
    assert before.sha256 == removable.archive.carried_sha256

    tamper(change)

    assert sums_of_month(month_keys(MONTH)).sha256 != before.sha256


def test_the_sums_are_a_format(fresh_casino: str) -> None:
    """Their digest is in signed lists: another one needs a member of its own in later lists."""
    table = open_table().pk
    arrive(dealt("r-1", NOON))
    settle_at()

    [(day, sums)] = sums_of_month(month_keys(MONTH)).days

    assert day == date(2026, 11, 10)
    assert sums == {
        "taken": [[table, "baccarat/1", 1, 2200]],
        "settled": [[table, "baccarat/1", 1, 0, 0, 2200, 2500, 0]],
        "moved": [
            [table, "baccarat/1", False, "payout", 4, 8, 2, 2500],
            [table, "baccarat/1", False, "stakes_settled", 2, 4, 1, 2200],
            [table, "baccarat/1", True, "stakes_taken", 0, 2, 1, 2200],
        ],
        "rounds": [[table, "baccarat/1", 1, 0]],
        "bets": [
            [table, "baccarat/1", "banker", 1, 0, 1000, 0, 0, 0],
            [table, "baccarat/1", "player", 1, 0, 1000, 0, 2000, 0],
            [table, "baccarat/1", "small", 1, 0, 200, 0, 500, 0],
        ],
    }


def test_an_archive_whose_rows_add_up_otherwise_is_refused(removable: Archived) -> None:
    """Although its exporter signed and recorded it."""
    with pytest.raises(BadArchive, match="carried_sha256: found 00"):
        verify_sums(
            removable.folder, _with(removable.archive, lambda it: it.update(carried_sha256="00"))
        )


def test_a_month_with_open_rounds_has_sums_too(archived: Archived) -> None:
    """It cannot be detached, but its archive can be verified."""
    verify_sums(archived.folder, archived.archive)
    again = write(archived.folder.parent, archived.key)
    assert again.carried_sha256 == archived.archive.carried_sha256


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
    assert not [it for it in _differences() if it.startswith(("Balance", "Sum of"))]
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


def _differences() -> list[str]:
    findings()
    rows = ReconcileDifference.objects.order_by("id")
    with translation.override("en"):
        return [difference_message(row) for row in rows]


def _texts(result: CheckResult) -> list[str]:
    with translation.override("en"):
        return [
            difference_message(ReconcileDifference(**it._asdict())) for it in result.differences
        ]


def _as_written(members: dict[str, Any]) -> bytes:
    text = json.dumps(members, indent=1, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode()


def _with(archive: ArchiveList, change: Callable[[dict[str, Any]], None]) -> ArchiveList:
    members = json.loads(archive.to_bytes())
    change(members)
    return ArchiveList.from_bytes(_as_written(members))
