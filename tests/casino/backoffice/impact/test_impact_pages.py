"""The pages of impact analyses: begin one, see its result."""

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from compliance.impact.analyses import (
    RuleChange,
    begin_analysis,
    finish_analysis,
    work_on_part,
)
from compliance.impact.models import ImpactAnalysis
from compliance.impact.other_readings import known_readings
from compliance.trail.models import AuditRecord
from payouts.reconciliation.checks.days import Days
from rounds.models import Customer, Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines, shoe
from tests.payouts.settlement.resettlement_scenarios import GIULIA

LIST = "/admin/impact/"
_DAYS = {"first_day": "2026-01-01", "last_day": "2027-12-31"}
_TWICE = [["P", "4H"], ["B", "7H"], ["P", "4H"], ["B", "TC"]]
_TWO_TO_ONE = {"field": "baccarat/1 bets/player/pays", "value": "2:1"}


@pytest.fixture
def compliance(fresh_casino: str) -> Client:
    """A browser of compliance; a round was played that Player won."""
    open_table()
    ingest(lines(shoe("s-1"), baccarat_round("r-1")))
    settle()
    return reader(person("compliance"))


def begun(client: Client, **fields: str) -> ImpactAnalysis:
    """The analysis that a filled in form begins."""
    answer: Any = client.post(LIST, {**_DAYS, **fields})
    analysis = ImpactAnalysis.objects.latest("pk")
    assert answer.status_code == 302, answer.content.decode()
    assert answer.url == f"{LIST}{analysis.pk}/"
    return analysis


def compute(analysis: ImpactAnalysis) -> None:
    """As workers do."""
    while work_on_part(analysis, now=timezone.now):
        pass
    finish_analysis(analysis.pk, now=timezone.now)


class TestAnAnalysis:
    def test_shows_who_would_have_got_what(self, compliance: Client) -> None:
        """By bet and by customer, with the return by either rule and a round."""
        analysis = begun(compliance, **_TWO_TO_ONE)
        page = f"{LIST}{analysis.pk}/"
        assert "In progress" in plain(compliance, page)
        assert 'data-refresh="2"' in compliance.get(page).content.decode()

        compute(analysis)

        words = plain(compliance, page)
        assert "Finished" in words
        assert "baccarat/1 · bets/player/pays 1:1 → 2:1" in words
        assert "Rounds compared 1" in words
        assert "baccarat/1 Player 1 1 10.00 20.00 30.00 +10.00 98.76 % → 143.39 %" in words
        assert "p-1 baccarat/1 1 10.00 20.00 30.00 +10.00 r-1" in words
        assert "= Difference to customers €10.00" in words
        source = compliance.get(page).content.decode()
        customer, row = Customer.objects.get(pseudonym="p-1"), Round.objects.get()
        assert reverse("admin:rounds_customer_change", args=[customer.pk]) in source
        assert reverse("admin:rounds_round_change", args=[row.pk]) in source
        assert "data-refresh" not in source
        assert "baccarat/1 · bets/player/pays" in plain(compliance, LIST)

    def test_gives_a_file_of_all_customers(self, compliance: Client) -> None:
        """In euros."""
        analysis = begun(compliance, **_TWO_TO_ONE)
        compute(analysis)

        lines_of_file = compliance.get(f"{LIST}{analysis.pk}/customers.csv").content.decode()

        assert lines_of_file.splitlines()[1:] == [
            "p-1;baccarat/1;1;10.00;20.00;0.00;30.00;0.00;10.00;r-1"
        ]
        taken = AuditRecord.objects.get(action="LIST_DOWNLOADED")
        assert (taken.details["list"], taken.details["rows"]) == ("impact-customers", 1)

    def test_of_a_reading_names_both(self, compliance: Client) -> None:
        """As the register words them; nobody had bet on the tie."""
        analysis = begun(compliance, reading="tie-nine-for-one:1")
        compute(analysis)

        words = plain(compliance, f"{LIST}{analysis.pk}/")

        assert "The nine include the stake: 8:1 → Nine are won in addition" in words
        assert "No customer would have been paid otherwise" in words

    def test_says_what_cannot_be_compared(self, compliance: Client) -> None:
        """One deck has no second four of hearts."""
        ingest(lines(baccarat_round("r-2", cards=_TWICE, session="M2")))
        settle()
        analysis = begun(compliance, field="baccarat/1 decks", value="1")
        compute(analysis)

        words = plain(compliance, f"{LIST}{analysis.pk}/")

        assert "ended: 1 (bets: 3, staked: €22.00)" in words

    @pytest.mark.parametrize(
        ("days", "text"),
        [
            ((None, None), "Everything"),
            ((date(2026, 11, 1), None), "from 1 Nov 2026"),
            ((None, date(2026, 11, 30)), "to 30 Nov 2026"),
            ((date(2026, 11, 1), date(2026, 11, 30)), "1 Nov 2026 \N{EN DASH} 30 Nov 2026"),
        ],
    )
    def test_of_the_command_may_have_no_first_or_last_day(
        self, compliance: Client, days: tuple[date | None, date | None], text: str
    ) -> None:
        """The form needs both."""
        change = RuleChange(reading=("tie-nine-for-one", 1))
        analysis = begin_analysis(change, days=Days(*days), at=timezone.now(), actor=GIULIA)
        compute(analysis)

        assert f"Days {text} Who" in plain(compliance, f"{LIST}{analysis.pk}/")
        assert text in plain(compliance, LIST)

    def test_that_failed_says_why(self, compliance: Client) -> None:
        """Without decks no card has a probability."""
        analysis = begun(compliance, field="baccarat/1 decks", value="0")
        compute(analysis)

        words = plain(compliance, f"{LIST}{analysis.pk}/")

        assert "Failed" in words
        assert "The changed rules cannot judge the rounds ValueError: baccarat/1" in words

    def test_speaks_italian(self, compliance: Client) -> None:
        """As every page."""
        compliance.cookies["django_language"] = "it"
        analysis = begun(compliance, **_TWO_TO_ONE)
        compute(analysis)

        words = plain(compliance, f"{LIST}{analysis.pk}/")

        assert "Sarebbe stato pagato" in words
        assert "Analisi d'impatto" in plain(compliance, LIST).replace("&#x27;", "'")


class TestTheForm:
    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ({}, "Choose either another reading or a rule."),
            (
                {**_TWO_TO_ONE, "reading": "tie-nine-for-one:1"},
                "Choose either another reading or a rule.",
            ),
            (
                {**_TWO_TO_ONE, "value": "two"},
                "Found two; needed: odds such as 3:2",
            ),
            ({**_TWO_TO_ONE, "last_day": "2025-01-01"}, "The last day is before the first day."),
            ({"reading": "tie"}, "Select a valid choice."),
        ],
    )
    def test_says_what_is_wrong(
        self, compliance: Client, fields: dict[str, str], text: str
    ) -> None:
        """Nothing begins."""
        answer = compliance.post(LIST, {**_DAYS, **fields})

        assert text in answer.content.decode()
        assert not ImpactAnalysis.objects.exists()

    def test_is_filled_in_by_the_register(self, compliance: Client) -> None:
        """Each reading that can be analysed leads there; to others nothing does."""
        register = compliance.get("/admin/readings/?sheet=all").content.decode()
        found = re.findall(r'href="(/admin/impact/\?reading=[^"]+)"', register)
        assert len(found) == len(known_readings())

        page = compliance.get(found[0]).content.decode()

        assert f'<option value="{found[0].partition("=")[2]}" selected>' in page
        assert 'class="panel collapsible-form" open' in page
        assert (
            "/admin/impact/?reading"
            not in reader(person("auditor")).get("/admin/readings/?sheet=all").content.decode()
        )

    def test_is_for_compliance(self, compliance: Client) -> None:
        """Auditors see the results; others nothing."""
        auditor, supervisor = reader(person("auditor")), reader(person("supervisor"))

        assert "Analyse a change" in plain(compliance, LIST)
        assert "Analyse a change" not in plain(auditor, LIST)
        assert auditor.post(LIST, {**_DAYS, **_TWO_TO_ONE}).status_code == 403
        assert supervisor.get(LIST).status_code == 403
        assert not ImpactAnalysis.objects.exists()
