"""What pages and commands say about days whose rounds are in the archive alone."""

from datetime import date
from typing import Final

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance.certification.returns.changed_rules import ReadingKey
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import DaysDetached, Scope, one_day
from compliance.exports.services.build_bundle import build_bundle
from compliance.exports.services.enqueue_export import (
    enqueue_export,
    enqueue_nightly_exports,
)
from compliance.impact.analyses import RuleChange, begin_analysis
from compliance.impact.models import ImpactAnalysis
from compliance.impact.other_readings import known_readings
from payouts.carried_forward.models import CarriedBalance
from payouts.ledger.models import Account
from payouts.reconciliation.checks.days import Days
from rounds.formatting import money
from rounds.models import Customer
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_text
from tests.compliance.archive.archived_months import Archived
from tests.compliance.archive.conftest import (
    archive_settings,
    detached,
    detached_template,
    removable,
    removable_files,
    removable_template,
)
from tests.compliance.archive.removable_months import OWNER, restore

__all__ = [
    "archive_settings",
    "detached",
    "detached_template",
    "removable",
    "removable_files",
    "removable_template",
]

_DAY: Final = date(2026, 11, 20)
_FOUND: Final = "found rounds of 2026-11 in the archive; needed restore_month first"
_SHOWN: Final = "Rounds of these days are in the archive: 2026-11."
_READING: Final[ReadingKey] = next(iter(known_readings()))


@pytest.fixture
def compliance(detached: Archived) -> Client:
    """A browser of a compliance officer."""
    return reader(person("compliance"))


class TestAnExport:
    @pytest.mark.slow
    def test_is_refused(self, detached: Archived) -> None:
        """A register without the rounds of the archive would look complete."""
        half_a_year = Scope(date(2026, 10, 1), date(2027, 3, 1))
        with pytest.raises(DaysDetached, match=_FOUND):
            enqueue_export(of=one_day(_DAY), at=timezone.now(), actor=OWNER)
        with pytest.raises(DaysDetached, match=_FOUND):
            enqueue_export(of=half_a_year, at=timezone.now(), actor=OWNER)
        assert not ExportRun.objects.exists()

    def test_that_was_requested_before_is_not_built(self, detached: Archived) -> None:
        """The worker says why."""
        with pytest.raises(DaysDetached, match=_FOUND):
            build_bundle(
                of=one_day(_DAY),
                folder=detached.folder.parent,
                key=detached.key,
                database="default",
                at=timezone.now(),
                actor=OWNER,
            )
        with pytest.raises(CommandError, match=_FOUND):
            call_command("export_day", str(_DAY), "--out", str(detached.folder.parent))
        assert not Bundle.objects.exists()

    def test_of_other_days_is_made(self, detached: Archived) -> None:
        """The night asks for every closed day whose rounds are there."""
        runs = enqueue_nightly_exports(at=timezone.now(), actor=OWNER)

        days = {run.first_day for run in runs}
        assert days
        assert _DAY not in days

    @pytest.mark.slow
    def test_is_made_once_the_month_is_restored(self, detached: Archived) -> None:
        """Nothing else is needed."""
        restore(detached)

        run = enqueue_export(of=one_day(_DAY), at=timezone.now(), actor=OWNER)

        assert run.first_day == _DAY

    def test_is_refused_on_the_pages(self, compliance: Client) -> None:
        """As a report, and as a bundle."""
        days = {"first_day": "2026-11-20", "last_day": "2026-11-21"}
        report = compliance.get(reverse("report", args=["large_wins"]), days)
        assert _SHOWN in page_text(report.content)

        answer = compliance.post(reverse("export_day", args=["2026-11-20"]), follow=True)
        assert _SHOWN in page_text(answer.content)
        assert not ExportRun.objects.exists()


class TestAnImpactAnalysis:
    def test_is_refused(self, detached: Archived) -> None:
        """Of days with rounds that it would leave out."""
        change = RuleChange(reading=_READING)
        for days in (Days(_DAY, _DAY), Days(None, None)):
            with pytest.raises(DaysDetached, match=_FOUND):
                begin_analysis(change, days=days, at=timezone.now(), actor=OWNER)
        assert not ImpactAnalysis.objects.exists()

        begin_analysis(change, days=Days(date(2027, 2, 1), None), at=timezone.now(), actor=OWNER)

    def test_is_refused_on_its_page(self, compliance: Client) -> None:
        """With the months."""
        days = {"first_day": "2026-11-20", "last_day": "2026-11-21"}
        form = {"reading": "{}:{}".format(*_READING), **days}
        page = compliance.post(reverse("impact_analyses"), form)

        assert _SHOWN in page_text(page.content)
        assert not ImpactAnalysis.objects.exists()


class TestTheCustomersPage:
    def test_names_what_was_carried_forward(self, compliance: Client) -> None:
        """The amounts of a page add up to the balance without the transfers."""
        account = Account.objects.filter(kind="customer", balance_cents__gt=0).order_by("pk")[0]
        carried = CarriedBalance.objects.get(account_id=account.pk)
        assert carried.cents == account.balance_cents

        page = plain(compliance, f"/admin/rounds/customer/{account.customer_id}/change/")

        assert "Carried forward" in page
        assert f"2026-11 Customer · Cash {money(carried.cents)}" in page
        assert "No bets yet." in page

    def test_of_who_only_lost_says_so(self, compliance: Client) -> None:
        """He has no account, but bets in the archive."""
        accounts = Account.objects.filter(customer__isnull=False).values("customer")
        loser = Customer.objects.exclude(pk__in=accounts).order_by("pk")[0]

        page = plain(compliance, f"/admin/rounds/customer/{loser.pk}/change/")

        assert f"2026-11 Customer · Cash {money(0)}" in page

    def test_has_no_such_table_otherwise(self, removable: Archived) -> None:
        """While the month is in the database."""
        row = Customer.objects.order_by("pk")[0]
        page = plain(reader(person("compliance")), f"/admin/rounds/customer/{row.pk}/change/")

        assert "Carried forward" not in page
