"""Quarantine, conflicts, waiting rounds, accounts, tables, records and the home page."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from casino.backoffice.today import tiles
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Account
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound, Table
from rounds.services.queue import postpone_round
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, ingest, limit_stakes, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines

ROUNDS = "/admin/rounds"


class TestTheQuarantine:
    def test_shows_the_reason_and_the_document(self, supervisor: Client) -> None:
        """Text if it is UTF-8, otherwise escaped bytes."""
        open_table()
        ingest([b'{"feed": "round/1", "<script>": "\xff"', *lines(baccarat_round("r-1"))])

        listed = supervisor.get(f"{ROUNDS}/quarantineddocument/").content.decode()
        pk = QuarantinedDocument.objects.get().pk
        page = supervisor.get(f"{ROUNDS}/quarantineddocument/{pk}/change/").content.decode()

        assert f"/quarantineddocument/{pk}/change/" in listed
        assert "Rejection reason" in page
        assert r"&quot;&lt;script&gt;&quot;: &quot;\xff&quot;" in page
        assert "<script>&quot;" not in page


class TestAConflict:
    def test_with_a_long_document_shows_its_beginning(self, supervisor: Client) -> None:
        """Cut off it is no JSON, so its lines are shown as they are."""
        open_table()
        bets = [baccarat_bet(f"b{number}", "player", "10.00") for number in range(1_000)]
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-1", bets=bets)))
        pk = ConflictingDocument.objects.get().pk

        page = supervisor.get(f"{ROUNDS}/conflictingdocument/{pk}/change/").content.decode()

        assert "truncated; the document is longer" in page
        assert "&quot;b0&quot;" in page
        assert "&quot;b999&quot;" not in page

    def test_shows_both_contents_and_marks_where_they_differ(self, supervisor: Client) -> None:
        """The stake of b1 is 10.00 in one and 99.00 in the other."""
        open_table()
        other = baccarat_round("r-1", bets=[baccarat_bet("b1", "player", "99.00")])
        ingest(lines(baccarat_round("r-1"), other))
        settle()

        pk = ConflictingDocument.objects.get().pk
        page = supervisor.get(f"{ROUNDS}/conflictingdocument/{pk}/change/").content.decode()

        marked = re.findall(r'<li class="differs">bets: ([^<]+)<', page)
        assert sum("&quot;10.00&quot;" in line for line in marked) == 2
        assert sum("&quot;99.00&quot;" in line for line in marked) == 1

    def test_is_reported_on_the_page_of_its_round(self, supervisor: Client) -> None:
        """With a warning."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-1", session="M2")))
        round_id = ConflictingDocument.objects.get().round_id

        page = supervisor.get(f"{ROUNDS}/round/{round_id}/change/").content.decode()

        assert "Another document has the ID of this round" in page


class TestAWaitingRound:
    def test_shows_the_error_that_keeps_it_waiting(self, supervisor: Client) -> None:
        """Escaped."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        pk = QueuedRound.objects.get().pk
        postpone_round(pk, error="ZeroDivisionError: <b>", at=NOW)

        listed = supervisor.get(f"{ROUNDS}/queuedround/").content.decode()
        page = supervisor.get(f"{ROUNDS}/queuedround/{pk}/change/").content.decode()

        assert "ZeroDivisionError: &lt;b&gt;" in listed
        assert "ZeroDivisionError: &lt;b&gt;" in page


class TestAnEmptyList:
    @pytest.mark.parametrize(
        ("address", "text"),
        [
            (f"{ROUNDS}/round/", "No round has arrived yet"),
            (f"{ROUNDS}/quarantineddocument/", "No quarantined documents"),
            (f"{ROUNDS}/conflictingdocument/", "No conflicts"),
            (f"{ROUNDS}/queuedround/", "No rounds awaiting settlement"),
            ("/admin/stuck/", "The queue is empty"),
            (f"{ROUNDS}/table/", "No tables yet"),
            ("/admin/payouts/account/", "No accounts"),
            ("/admin/trail/auditrecord/?subject=round:r-1", "No matching entries"),
        ],
    )
    def test_has_a_text(self, supervisor: Client, address: str, text: str) -> None:
        """Instead of an empty table."""
        assert text in supervisor.get(address).content.decode()


class TestTheBooks:
    def test_show_the_balance_of_a_customer(self, supervisor: Client) -> None:
        """r-1 pays p-1 20.00 for Player and 5.00 for Small."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        listed = page_html(supervisor.get("/admin/payouts/account/", {"customer": "p-1"}))
        account = Account.objects.get(customer__pseudonym="p-1")
        page = supervisor.get(f"/admin/payouts/account/{account.pk}/change/").content.decode()

        assert re.findall(r'<td class="num">([\d.]+)</td></tr></tbody>', listed) == ["25.00"]
        assert "€25.00" in page

    def test_show_a_record_with_proof_that_it_is_unchanged(self, supervisor: Client) -> None:
        """The leaf is recomputed from the shown record."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        record = AuditRecord.objects.get(action="ROUND_RECEIVED")

        listed = supervisor.get("/admin/trail/auditrecord/", {"subject": "round:r-1"})
        page = supervisor.get(f"/admin/trail/auditrecord/{record.pk}/change/").content.decode()

        assert "round:r-1" in listed.content.decode()
        assert "Digest verified" in page
        assert bytes(record.leaf).hex() in page

    def test_show_a_table_with_its_limits(self, supervisor: Client) -> None:
        """Those in force."""
        table = open_table()
        limit_stakes(table, player=(100, 500_000))
        limit_stakes(table, player=(200, 100_000))

        pk = Table.objects.get().pk
        page = supervisor.get(f"{ROUNDS}/table/{pk}/change/").content.decode()

        in_force = page[page.index("Limits in force") : page.index("Limits not in force")]
        assert re.findall(r'<td class="num">([\d.,]+)<', in_force) == ["2.00", "1,000.00"]


class TestToday:
    def test_counts_what_waits_for_a_person(self, supervisor: Client) -> None:
        """One held, three stuck, two quarantined, one waiting."""
        open_table()
        ingest(
            lines(
                held_baccarat_round("r-held"),
                *(baccarat_round("r-1"), baccarat_round("r-1", session="M2"), "{", "["),
            )
        )
        settle()
        ingest(lines(baccarat_round("r-2")))
        QueuedRound.objects.update(due_at=timezone.now())

        page = page_html(supervisor.get("/admin/"))

        assert re.findall(r'count-number">(\d+\+?)<', page) == ["1", "3", "2", "1", "1", "0", "0"]

    def test_counts_up_to_a_limit(
        self, supervisor: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """People plan by the number; exact counts of large tables are slow."""
        open_table()
        ingest(lines(*[f"{{{number}" for number in range(120)]))

        pages = [page_html(supervisor.get("/admin/"))]
        monkeypatch.setattr(tiles, "MOST_COUNTED", 99)
        pages.append(page_html(supervisor.get("/admin/")))

        assert [re.findall(r'count-number">(\d+\+?)<', page) for page in pages] == [
            ["0", "120", "120", "0", "0", "0", "0"],
            ["0", "99+", "99+", "0", "0", "0", "0"],
        ]
