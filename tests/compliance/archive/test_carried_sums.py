"""The books of a casino in play stay right without a detached month, and forged sums are found."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from compliance.archive.archive_list import ArchiveList
from compliance.archive.moved_months.detach_month import MonthNotDetached
from compliance.archive.verify_archive import BadArchive
from compliance.archive.verify_sums import verify_sums
from compliance.trail.key_ranges import month_keys
from payouts.carried_forward.models import CarriedBalance, CarriedDay
from payouts.gaming_days.models import DayClosing
from payouts.ledger.models import Account
from payouts.reconciliation.carried_sums import sums_of_month
from payouts.settlement.models import Settlement
from rounds.models import QuarantinedDocument, Round, RoundName
from tests.casino_in_play import open_table
from tests.compliance.archive.archive_changes import list_as_written
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.compliance.archive.removable_months import (
    YEARS_LATER,
    detach,
    differences_in_words,
    findings,
    nothing_changes,
    restore,
)
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, settle_at
from tests.payouts.reconciliation.five_games import deal, tamper


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

    @pytest.mark.slow
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

    @pytest.mark.slow
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

        assert any("Daily total of bets" in text for text in differences_in_words())


class TestDetaching:
    def test_needs_right_books(self, removable: Archived) -> None:
        """A difference must not become part of a sum."""
        tamper("UPDATE payouts_account SET balance_cents = balance_cents + 1 WHERE id = 8")
        assert len(differences_in_words()) == 2

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


def _with(archive: ArchiveList, change: Callable[[dict[str, Any]], None]) -> ArchiveList:
    members = json.loads(archive.to_bytes())
    change(members)
    return ArchiveList.from_bytes(list_as_written(members))
