"""The page of a decided case shows its effect, and so do its files."""

import pytest
from django.test import Client

from payouts.cases.models import Case, CaseStep
from payouts.cases.remedies import Remedy
from tests.casino.backoffice.cases.case_forms import (
    MINUS,
    code_of_lorenzo,
    fields_of,
    malfunction,
    proposed,
    sign,
)
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import ingest, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.cases.case_scenarios import execute, propose


@pytest.mark.usefixtures("rounds")
class TestWhatMoved:
    """After the second signature; amounts are in ``tests/payouts/cases/test_case_effect.py``."""

    @pytest.mark.slow
    def test_stays_on_the_page_and_in_both_files(self, giulia: Client, lorenzo: Client) -> None:
        """Totals by customer, and each bet of all rounds."""
        case = proposed(giulia)
        sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        page = page_html(lorenzo.get(f"/admin/cases/{case.pk}/"))
        customers = lorenzo.get(f"/admin/cases/{case.pk}/effect.csv").content.decode()
        bets = lorenzo.get(f"/admin/cases/{case.pk}/bets.csv").content.decode().splitlines()

        assert "Executed transfers by customer" in page
        assert "Details by round and bet" in page
        for output in ("44.00", f"{MINUS}50.00", f"{MINUS}26.00", "+20.00", "planned €44.00"):
            assert output in page
        assert "p-1;4;24.00;-50.00;-26.00;0.00;0.00;24.00;-50.00;-26.00;0.00" in customers
        assert len(bets) == 1 + 6
        assert sum("Executed" in line for line in bets) == 6

    def test_shows_the_rejected_proposal(self, giulia: Client, lorenzo: Client) -> None:
        """It stays visible next to the form for another."""
        case = proposed(giulia)
        form = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/")) | {"note": "No."}
        lorenzo.post(f"/admin/cases/{case.pk}/reject/", {**form, "code": code_of_lorenzo()})
        assert CaseStep.objects.filter(case=case, action="rejected").exists()

        page = page_html(lorenzo.get(f"/admin/cases/{case.pk}/"))

        assert "Proposed transfers by customer" in page
        assert f"{MINUS}26.00" in page

    def test_is_no_formula_in_a_spreadsheet(self, giulia: Client) -> None:
        """Text that begins with ``=`` is escaped; amounts stay numbers."""
        evil = '=HYPERLINK("http://x")'
        ingest(lines(baccarat_round("r-9", bets=[baccarat_bet("b1", "tie", "1.00", player=evil)])))
        settle()
        malfunction(giulia, references="r-9")
        case = Case.objects.latest("pk")
        propose(case, Remedy.VOID)

        bets = giulia.get(f"/admin/cases/{case.pk}/bets.csv").content.decode()
        customers = giulia.get(f"/admin/cases/{case.pk}/effect.csv").content.decode()

        for file in (bets, customers):
            assert "'=HYPERLINK" in file
            assert ";=" not in file
            assert "\n=" not in file

    @pytest.mark.slow
    def test_pages_through_many_bets(self, giulia: Client, lorenzo: Client) -> None:
        """A hundred per page; an invalid place shows the first page."""
        many = [baccarat_bet(f"m{n}", "tie", "1.00") for n in range(120)]
        ingest(lines(baccarat_round("r-9", bets=many)))
        settle()
        malfunction(giulia, references="r-9")
        case = Case.objects.latest("pk")
        propose(case, Remedy.VOID)
        address = f"/admin/cases/{case.pk}/"

        first = page_html(lorenzo.get(address))
        second = page_html(lorenzo.get(f"{address}?after=1-99"))
        odd = page_html(lorenzo.get(f"{address}?after=x';--"))

        assert "?after=1-99#bet-postings" in first
        assert (">m99<" in first, ">m100<" in first) == (True, False)
        assert (">m99<" in second, ">m100<" in second) == (False, True)
        assert ">m0<" in odd
