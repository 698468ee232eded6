"""One search for everything: what it finds, for whom, and where it leads."""

import html
import re
from datetime import date

import pytest
from django.test import Client

from casino.backoffice.search.days import day_in
from rounds.models import Table
from tests.casino.backoffice.conftest import page_of, person
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.disputes.dispute_scenarios import disputed

_SEARCH = "/admin/search/"
_TODAY = date(2026, 11, 24)


def hits(client: Client, text: str) -> dict[str, str]:
    """The titles that the panel lists, with their addresses."""
    page = client.get(_SEARCH, {"q": text, "panel": ""}).content.decode()
    found = re.findall(r'<a href="([^"]+)"><strong>([^<]+)<', page)
    return {html.unescape(title): html.unescape(address) for address, title in found}


@pytest.fixture
def _played(db: None) -> None:
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle()


@pytest.mark.usefixtures("_played")
class TestFound:
    def test_is_a_round_by_its_id(self, supervisor: Client) -> None:
        """Enter opens it."""
        answer = supervisor.get(_SEARCH, {"q": " r-1 "})

        assert answer["Location"] == page_of("r-1")

    def test_are_an_amount_and_the_rounds_of_a_customer(self, supervisor: Client) -> None:
        """By the list of rounds."""
        assert hits(supervisor, "€ 210.00") == {
            "€210.00": "/admin/rounds/round/?q=%E2%82%AC+210.00"
        }
        assert "/admin/rounds/round/?q=p-1" in hits(supervisor, "p-1").values()

    @pytest.mark.parametrize("text", ["C-0001", "c-1", "1"])
    def test_is_a_case(self, supervisor: Client, text: str) -> None:
        """By its name or number; another kind's letter is another name."""
        case = opened("correction", "r-1")
        text = text.replace("1", str(case.pk)) if text != "C-0001" else str(case)

        assert hits(supervisor, text)[str(case)] == f"/admin/cases/{case.pk}/"
        assert str(case) not in hits(supervisor, f"M-{case.pk}")

    def test_is_a_dispute(self, supervisor: Client) -> None:
        """By its name."""
        dispute = disputed("r-1")

        assert hits(supervisor, str(dispute)) == {str(dispute): f"/admin/disputes/{dispute.pk}/"}

    def test_is_a_table_by_the_beginning_of_its_code(self, supervisor: Client) -> None:
        """Or a part of its name."""
        table = Table.objects.get()

        assert hits(supervisor, "BAC")["bac-1"] == f"/admin/rounds/table/{table.pk}/change/"

    @pytest.mark.parametrize("text", ["multiplier weights", "WEIGHTS", "pesi"])
    def test_is_a_page_in_either_language(self, supervisor: Client, text: str) -> None:
        """By words of its title."""
        assert hits(supervisor, text) == {"Multiplier weights": "/admin/weights/"}

    def test_is_a_person_for_administrators(self, administrator: Client) -> None:
        """By parts of the name; others do not see accounts."""
        other = person("payments")

        assert hits(administrator, "paym") == {"payments": f"/admin/people/{other.pk}/"}

    @pytest.mark.parametrize("text", ["", "no such thing", "\0", "9" * 300, "%", "C-x", "<b>"])
    def test_is_nothing_for_other_text(self, supervisor: Client, text: str) -> None:
        """A page that says so; nothing is interpreted."""
        answer = supervisor.get(_SEARCH, {"q": text})

        assert answer.status_code == 200
        assert "<b>" not in answer.content.decode().split("<main", 1)[-1].split("no-hits")[-1]
        assert hits(supervisor, text) == {}


@pytest.mark.usefixtures("_played")
class TestAnAction:
    def test_leads_to_its_page(self, supervisor: Client) -> None:
        """In both languages, by the beginning of its verb."""
        address = f"/admin/rounds/table/{Table.objects.get().pk}/change/"

        for text in ("suspend bac-1", "sospendi bac-1", "susp bac"):
            assert hits(supervisor, text) == {"Suspend table bac-1": address}
        assert hits(supervisor, "su bac-1") == {}

    def test_is_offered_to_who_may_take_it(self, supervisor: Client, compliance: Client) -> None:
        """Compliance closes days; the supervisor suspends tables."""
        del supervisor

        assert hits(compliance, "suspend bac-1") == {}
        assert list(hits(compliance, "close 2026-11-24")) == ["Close Tuesday 24 November 2026"]


@pytest.mark.usefixtures("_played")
def test_an_administrator_finds_no_money(administrator: Client) -> None:
    """No rounds, cases, disputes or customers, whatever the text."""
    case, dispute = opened("correction", "r-1"), disputed("r-2")

    for text in ("r-1", "p-1", "210.00", str(case), str(dispute), "2026-11-24", "close yesterday"):
        assert hits(administrator, text) == {}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", date(2026, 11, 20)),
        ("20/11/2026", date(2026, 11, 20)),
        ("20.11", date(2026, 11, 20)),
        ("25/12", date(2025, 12, 25)),
        ("Today", _TODAY),
        (" ieri ", date(2026, 11, 23)),
        ("31/02", None),
        ("0000-01-01", None),
        ("29/02", None),
        ("20-11", None),
        ("tomorrow", None),
    ],
)
def test_a_day_is_read_as_people_write_it(text: str, day: date | None) -> None:
    """A day without a year is the latest such day."""
    assert day_in(text, today=_TODAY) == day
