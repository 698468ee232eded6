"""The page of a round whose month is archived and not in the database."""

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from compliance.archive.read_round import READING
from compliance.trail.models import AuditRecord
from payouts.cases.models import Case
from payouts.settlement.models import BetSettlement
from rounds.models import Bet, Round
from tests.casino.backoffice.archive.archived_pages import address_of, contents_of
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html, page_text
from tests.compliance.archive.archived_months import MONTH, Archived, archived_in, write
from tests.compliance.archive.detached_months import detach
from tests.compliance.trail.audit_records import audit_records
from tests.payouts.disputes.dispute_scenarios import disputed
from tests.payouts.reconciliation.five_games import tamper

_A_PAYOUT: Final = """
    UPDATE payouts_betsettlement SET payout_cents = payout_cents + 100
     WHERE (round_id, sequence, bet_number) = (SELECT round_id, sequence, bet_number
       FROM payouts_betsettlement WHERE round_id = %(round)s AND payout_cents > 0 AND sequence = 1
      ORDER BY 1, 2, 3 LIMIT 1)
"""


@pytest.fixture
def a_round(on_the_host: Archived) -> Round:
    """A settled round with bets, whose month is archived and detached."""
    row = Round.objects.filter(bet_count__gt=2).select_related("table").order_by("id")[0]
    detach(MONTH)
    return row


class TestTheArchivedPage:
    @pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
    def test_shows_what_the_live_page_showed(self, auditor: Client, every: int) -> None:
        """Cards, bets, payouts, explanations, settlements, transfers, records."""
        rounds = list(Round.objects.order_by("id").values_list("pk", flat=True)[::every])
        live = contents_of(auditor, rounds)

        detach(MONTH)

        assert not Round.objects.exists()
        assert len(rounds) == 40 // every
        assert contents_of(auditor, rounds) == live

    @pytest.mark.slow
    def test_has_the_audit_records_of_the_archive(self, auditor: Client) -> None:
        """If those of its month left the database as well, they cannot be opened there."""
        row = Round.objects.order_by("id")[0]
        live = contents_of(auditor, [row.pk])[row.pk]
        timeline = live[live.index("<h2>Timeline</h2>") :]

        detach(MONTH, with_log=True)
        archived = contents_of(auditor, [row.pk])[row.pk]
        page = page_html(auditor.get(address_of(row.pk)))

        assert not AuditRecord.objects.filter(subject=f"round:{row}").exists()
        without_links = re.sub(r'<a class="muted" href="[^"]*">Open the record</a>', "", timeline)
        assert archived[archived.index("<h2>Timeline</h2>") :] == without_links
        assert "Open the record" not in page
        assert "audit records from both." in page

    def test_says_where_it_comes_from(self, a_round: Round, on_the_host: Archived) -> None:
        """Which archive, of when, by whom signed; what was compared; what can be done."""
        text = plain(reader(person("supervisor")), address_of(a_round.pk))

        key = on_the_host.key.key_id[:16]
        assert "From archive 2026-11.1: this round is not in the database" in text
        assert f"Written on 5 Dec, 01:00:00, signed with certificate {key}." in text
        assert "were verified just now. Evaluated again by its rules, the round agrees" in text
        assert "Comments, cases, disputes and audit records come from the database." in text
        assert "have its month 2026-11 attached to the database again, or restored" in text

    def test_says_it_in_italian(self, a_round: Round) -> None:
        """Also what can be done."""
        client = reader(person("supervisor"))
        client.cookies["django_language"] = "it"

        text = plain(client, address_of(a_round.pk))

        assert "Dall’archivio 2026-11.1: questo turno non è nel database" in text
        assert "sono stati verificati in questo momento" in text
        assert "far ricollegare al database il suo mese 2026-11" in text

    def test_changes_nothing(self, a_round: Round) -> None:
        """No form, and no link to one, for people who may decide about a live round."""
        page = page_html(reader(person("supervisor")).get(address_of(a_round.pk)))

        content = page[page.index('<div class="page"') :]
        assert "<form" not in content.split("</main>")[0]
        for address in ("correct", "refund", "dispute", "likelihood", "receipt.json"):
            assert f"/{a_round.pk}/{address}" not in content
        assert "data-live=" not in content

    def test_leads_to_what_was_decided_about_it(
        self, on_the_host: Archived, auditor: Client
    ) -> None:
        """Pages of cases and disputes compute from the database: they name what is needed."""
        case = Case.objects.order_by("pk")[0]
        round_id = case.rounds.values_list("round_id", flat=True)[0]
        bet = Bet.objects.select_related("customer").filter(round_id=round_id)[0]
        reference = Round.objects.values_list("reference", flat=True).get(pk=round_id)
        dispute = disputed(reference, bet.customer.pseudonym)
        detach(MONTH)

        archived = page_html(auditor.get(address_of(round_id)))

        for kind, subject in {"case": case, "dispute": dispute}.items():
            address = reverse(kind, args=[subject.pk])
            assert f'href="{address}"' in archived
            page = page_html(auditor.get(address))
            assert f"{subject}</h1>" in page
            assert "have the month 2026-11 attached to the database again, or restored" in page
            assert f'href="{address_of(round_id)}"' in page

    @pytest.mark.slow
    def test_names_what_differs_from_the_rules(
        self, month: str, settings: Settings, tmp_path: Path
    ) -> None:
        """A payout changed before the month was archived: signed, and wrong."""
        paid = BetSettlement.objects.filter(payout_cents__gt=0, sequence=1).order_by("round_id")
        changed, other = paid[0].round_id, paid.exclude(round_id=paid[0].round_id)[0].round_id
        tamper(_A_PAYOUT, round=str(changed))
        archived = archived_in(tmp_path)
        settings.ARCHIVE_FOLDER = str(archived.folder.parent)
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        detach(MONTH)

        client = reader(person("compliance"))
        text = plain(client, address_of(changed))

        assert "agrees with every archived amount" in plain(client, address_of(other))
        assert "agrees with every archived amount" not in text
        assert "Evaluated again, the round differs from the archive in" in text
        assert re.search(r"found paid [\d.]+.*needed", text, re.IGNORECASE), text[1500:4000]

    def test_is_recorded_of_auditors(self, a_round: Round, auditor: Client) -> None:
        """As every page that they view."""
        auditor.get(address_of(a_round.pk))

        paths = [details["path"] for *_who, details in audit_records("PAGE_VIEWED")]
        assert address_of(a_round.pk) in paths

    def test_is_for_those_who_view_rounds(self, a_round: Round) -> None:
        """Nobody learns from the archive what the database would not show."""
        nobody = person("auditor")
        nobody.groups.clear()

        answer: Any = reader(nobody).get(address_of(a_round.pk))

        assert answer.status_code == HTTPStatus.FORBIDDEN
        assert Client().get(address_of(a_round.pk)).status_code == HTTPStatus.FOUND

    @pytest.mark.parametrize("address", ["/admin/rounds/round/?q={}", "/admin/search/?q={}"])
    def test_is_found_by_the_id_of_the_studio(
        self, a_round: Round, auditor: Client, address: str
    ) -> None:
        """The list of rounds leads to it at once; the search names it."""
        answer: Any = auditor.get(address.format(a_round.reference), follow=True)

        page = page_html(answer)
        assert address_of(a_round.pk) in page or answer.redirect_chain == [
            (address_of(a_round.pk), 302)
        ]


class TestNothingIsShown:
    @pytest.mark.parametrize("table", ["rounds_bet", "rounds_round", "payouts_settlement"])
    def test_of_a_changed_file(
        self, a_round: Round, auditor: Client, on_the_host: Archived, table: str
    ) -> None:
        """The page names the file, and has no card, bet or customer."""
        file = on_the_host.folder / on_the_host.archive.table(table).files[0].name
        file.write_bytes(file.read_bytes()[:-1] + b"x")

        answer: Any = auditor.get(address_of(a_round.pk))

        text = page_text(answer.content)
        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert "the files of archive 2026-11.1 are not as recorded" in text
        assert f"{file.name}: found SHA-256" in text
        assert a_round.reference not in text
        assert "Evaluated again" not in text

    def test_of_a_changed_list(
        self, a_round: Round, auditor: Client, on_the_host: Archived
    ) -> None:
        """Nor if file and list were changed alike."""
        path = on_the_host.folder / "archive.json"
        path.write_bytes(path.read_bytes().replace(b"Casino di prova", b"Casino di altri"))

        answer: Any = auditor.get(address_of(a_round.pk))

        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert "archive.json: found SHA-256" in page_text(answer.content)

    @pytest.mark.parametrize(
        ("setting", "text"),
        [
            ("ARCHIVE_FOLDER", "This web host has no folder of the archive."),
            ("EXPORT_KEY", "This web host has no certificate of the operator."),
        ],
    )
    def test_by_a_host_that_lacks_the_files(
        self,
        a_round: Round,
        auditor: Client,
        settings: Settings,
        tmp_path: Path,
        setting: str,
        text: str,
    ) -> None:
        """The page says which archive has the month, and what the host needs."""
        setattr(settings, setting, str(tmp_path / "nowhere"))

        answer: Any = auditor.get(address_of(a_round.pk))

        page = page_text(answer.content)
        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert f"its month is in archive 2026-11.1. {text}" in page

    def test_of_a_round_that_no_archive_has(self, a_round: Round, auditor: Client) -> None:
        """Of its month, or of a month that was never archived."""
        same_month = address_of(type(a_round.pk)(int=a_round.pk.int + 1))
        other: Any = auditor.get(address_of(type(a_round.pk)(int=a_round.pk.int - (1 << 113))))

        answer: Any = auditor.get(same_month)

        assert (answer.status_code, other.status_code) == (404, 404)
        text = "Neither the database nor archive 2026-11.1 has a round with this ID."
        assert text in page_text(answer.content)
        assert re.search(r"no archive of 20\d\d-\d\d is recorded", page_text(other.content))

    def test_while_another_is_read(self, a_round: Round, auditor: Client, month: str) -> None:
        """One at a time, by all hosts together."""
        with psycopg.connect(month) as other:
            other.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [READING])
            answer: Any = auditor.get(address_of(a_round.pk))

        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert "Another round of the archive is being read." in page_text(answer.content)
        assert auditor.get(address_of(a_round.pk)).status_code == HTTPStatus.OK


class TestTheDatabase:
    def test_is_left_as_it_was(self, a_round: Round, auditor: Client) -> None:
        """After a page from the archive, lists and other pages read the database again."""
        auditor.get(address_of(a_round.pk))

        assert not Round.objects.exists()
        assert not Bet.objects.exists()
        assert a_round.game_code not in plain(auditor, "/admin/rounds/round/")

    def test_counts_if_it_has_the_round(self, on_the_host: Archived) -> None:
        """A month that is archived and attached is shown from the database."""
        row = Round.objects.order_by("id")[0]
        write(on_the_host.folder.parent, on_the_host.key)

        assert "From archive" not in plain(reader(person("auditor")), address_of(row.pk))
