"""The export centre: extracts, standing reports, the certificate, the page of today."""

from pathlib import Path

import pytest
from django.test import Client

from casino.backoffice.exports import reports
from compliance.exports.models import Bundle, ExportRun
from compliance.trail.models import AuditRecord
from payouts.cases.remedies import Remedy
from payouts.gaming_days.models import DayClosing
from rounds.formatting import NONE
from rounds.models import Table
from rounds.services.limit_stakes import limit_stakes
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.exports.bundle_steps import BUNDLE, CENTRE, LETTER, sign, work
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import FLOOR, NOW
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD, decided
from tests.payouts.gaming_days.day_scenarios import DAY


class TestAnExtract:
    @pytest.mark.slow
    def test_is_requested_by_a_form(
        self, closed: DayClosing, compliance: Client, tmp_path: Path
    ) -> None:
        """Of a customer; the reason is recorded."""
        form = {
            "contents": "registers",
            "first_day": str(DAY),
            "last_day": str(DAY),
            "customer": "p-2",
            "reason": "ADM prot. 77",
        }
        for wrong, message in (
            ({"customer": "nobody"}, "Customer not found: nobody."),
            ({"last_day": "2026-11-09"}, "The last day is before the first day."),
            ({"last_day": "2028-11-09"}, "The maximum is 366 days."),
            ({"reason": ""}, "This field is required."),
        ):
            answer = compliance.post(f"{CENTRE}new/", form | wrong)
            assert message in page_html(answer).replace("&#x27;", "'")
        assert not ExportRun.objects.exists()
        compliance.post(f"{CENTRE}new/", form)
        work(tmp_path)

        record = AuditRecord.objects.get(action="EXPORT_ASKED")
        assert record.details["reason"] == "ADM prot. 77"
        words = plain(compliance, CENTRE)
        assert "000001 To be signed 10 Nov 2026 · Registers · extract" in words
        assert "Registers · p-2" in plain(compliance, f"{CENTRE}bundles/")


class TestTheReports:
    @pytest.mark.parametrize(
        ("key", "words"),
        [
            ("game_performance", "Player 2 2"),
            ("large_wins", "No data for these days."),
            ("significant_events", "Day closed with a signature day:2026-11-10"),
            ("alterations", "No data for these days."),
        ],
    )
    def test_are_shown(self, closed: DayClosing, giulia: Client, key: str, words: str) -> None:
        """For the requested days."""
        days = f"first_day={DAY}&last_day=2026-12-01"

        assert words in plain(giulia, f"{CENTRE}reports/{key}/?{days}")

    def test_of_too_many_days_are_bundles(self, closed: DayClosing, giulia: Client) -> None:
        """A page covers at most 31 days; an unknown report is answered 404."""
        days = f"first_day={DAY}&last_day=2027-12-01"
        words = plain(giulia, f"{CENTRE}reports/game_performance/?{days}")

        assert "A report covers up to 31 days" in words
        assert giulia.get(f"{CENTRE}reports/none/").status_code == 404
        plain(giulia, f"{CENTRE}reports/alterations/?first_day=x&last_day=y")

    def test_have_limits_and_bets_as_their_table_shows_them(
        self, closed: DayClosing, giulia: Client
    ) -> None:
        """Not as the file has them: cents in a list, and the code of the bet."""
        limit_stakes(
            table_id=Table.objects.get(code="bac-1").pk,
            limits={"player_pair": (100, 200000)},
            seen=0,
            at=NOW,
            actor=FLOOR,
        )
        days = f"first_day={DAY}&last_day=2026-12-01"

        words = plain(giulia, f"{CENTRE}reports/alterations/?{days}")

        assert f"Player pair {NONE} 1.00 \N{EN DASH} 2,000.00" in words

    def test_have_rulings_as_named_values(self, closed: DayClosing, giulia: Client) -> None:
        """What the two persons decided about a round, not the JSON of the file."""
        decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)
        days = f"first_day={DAY}&last_day=2026-12-01"

        words = plain(giulia, f"{CENTRE}reports/alterations/?{days}")

        cards = "Cards: Player 4♠, Banker 7♥, Player 5♦, Banker 10♣"
        assert f"Corrected facts {NONE} {cards}" in words
        assert f"Kind {NONE} Settled" in words
        assert f"Paid {NONE} 25.00" in words
        assert '{"' not in words

    def test_of_a_slow_query_says_so(
        self, closed: DayClosing, giulia: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """PostgreSQL cancels the query; the page suggests fewer days or a bundle."""
        monkeypatch.setattr(reports, "_TIMEOUT", "1ms")

        words = plain(giulia, f"{CENTRE}reports/game_performance/")

        assert "This report takes too long to display." in words


class TestTheCertificate:
    def test_is_for_everybody_who_sees_bundles(self, giulia: Client, tmp_path: Path) -> None:
        """The private key is not included."""
        answer = giulia.get(f"{CENTRE}operator.crt")

        assert answer.content == (tmp_path / "export.crt").read_bytes()
        assert b"PRIVATE" not in answer.content


class TestTheDays:
    def test_are_filtered_and_downloaded(self, closed: DayClosing, giulia: Client) -> None:
        """A closed day without a bundle has the first of six stages behind it."""
        query = {"state": "closed", "columns": ["day", "progress"], "format": "csv"}

        rows = giulia.get(CENTRE, query).content.decode("utf-8-sig").splitlines()

        assert rows == ["Day,Progress", "2026-11-10,1/6"]
        assert "No matching entries" in plain(giulia, f"{CENTRE}?to=2020-01-01")


class TestToday:
    @pytest.mark.slow
    def test_counts_the_bundles_that_wait(
        self, built: Bundle, compliance: Client, giulia: Client
    ) -> None:
        """For signing or sending, shown to those who may; then for the regulator."""
        counted = "1 Bundles to sign or send"
        assert counted in plain(compliance, "/admin/")
        sign(compliance, seen=0)
        sign(giulia, seen=1)
        assert counted in plain(giulia, "/admin/")
        compliance.post(f"{BUNDLE}send/", {"seen": 2, **LETTER})
        assert "0 Bundles to sign or send" in plain(giulia, "/admin/")
        assert "Bundles to sign" not in plain(reader(person("payments")), "/admin/")
