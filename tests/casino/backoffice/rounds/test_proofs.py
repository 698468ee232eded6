"""Proofs on the pages: of a record, of a round, and warnings about the log."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from django.utils import timezone

from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from rounds.models import Round
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import credited

pytestmark = pytest.mark.django_db


@pytest.fixture
def settled() -> Round:
    """A settled round whose records are not in the log yet."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    return Round.objects.get()


def append() -> None:
    """Logs waiting records, as the worker does."""
    append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())


def download(client: Client, address: str) -> dict[str, Any]:
    """The downloaded JSON."""
    page = client.get(address)
    assert page["Content-Type"] == "application/json"
    assert page["Content-Disposition"].startswith('attachment; filename="')
    proof: dict[str, Any] = json.loads(page.content)
    return proof


def text(client: Client, address: str) -> str:
    """The text of a page."""
    return page_html(client.get(address))


class TestARecord:
    def test_shows_its_place_and_gives_its_proof(self, settled: Round, supervisor: Client) -> None:
        """Under the first signed head that covers it."""
        append()
        record = AuditRecord.objects.get(action="ROUND_SETTLED")

        page = page_html(supervisor.get(f"/admin/trail/auditrecord/{record.pk}/change/"))
        proof = download(supervisor, f"/admin/records/{record.pk}/proof.json")

        assert "Position in the signed log" in page
        assert proof["head"]["root"][:4] in page
        assert '"ROUND_SETTLED","round:r-1"' in proof["record"]
        assert settled.reference == "r-1"

    def test_shows_lists_and_objects_as_such(self, supervisor: Client) -> None:
        """Not in the notation of Python; escaped."""
        details = {"codes": ["a<1>", ["b", 2]], "of": {"day": None, "is_closed": True}, "empty": []}
        record_entries([Entry("DAY_EXPORTED", "bundle:1", details)], at=NOW, actor=Actor("test"))
        record = AuditRecord.objects.get(action="DAY_EXPORTED")

        page = page_html(supervisor.get(f"/admin/trail/auditrecord/{record.pk}/change/"))

        table = page[page.index("<table", page.index("Details</h2>")) :].split("</table>")[0]
        assert re.sub(r"<[^>]+>", " ", table).split() == [
            *("codes", "a&lt;1&gt;", "b", "2"),
            *("empty", "none", "of", "day", "none", "is_closed", "yes"),
        ]

    def test_says_that_it_still_waits(self, settled: Round, supervisor: Client) -> None:
        """An early request for the proof leads back to the page."""
        record = AuditRecord.objects.get(action="ROUND_SETTLED")

        early = supervisor.get(f"/admin/records/{record.pk}/proof.json", follow=True)
        assert b"not in the signed log yet" in early.content
        early = supervisor.get(f"/admin/rounds/{settled.pk}/receipt.json", follow=True)
        assert b"not in the signed log yet" in early.content

    def test_of_a_decision_has_its_signature(self, settled: Round, supervisor: Client) -> None:
        """With the key of its person."""
        credited("p-1", 100)
        append()
        record = AuditRecord.objects.get(action="CASE_APPROVED")

        proof = download(supervisor, f"/admin/records/{record.pk}/proof.json")

        assert proof["proof"] == "sabot inclusion/2"
        assert proof["decision"]["record"] == proof["record"]
        assert [key["person"] for key in proof["signing_keys"]] == ["Lorenzo Ferri"]
        assert proof["decision"]["key"] == proof["signing_keys"][0]["key"]


class TestAReceipt:
    def test_proves_all_that_was_recorded_about_a_round(
        self, settled: Round, supervisor: Client
    ) -> None:
        """Received and settled, each with its path to a signed head."""
        append()

        receipt = download(supervisor, f"/admin/rounds/{settled.pk}/receipt.json")

        actions = [json.loads(record["record"])[3] for record in receipt["records"]]
        assert receipt["round"] == "r-1"
        assert actions == ["ROUND_RECEIVED", "ROUND_SETTLED"]
        assert f"/admin/rounds/{settled.pk}/receipt.json" in text(
            supervisor, f"/admin/rounds/round/{settled.pk}/change/"
        )


class TestALogThatNobodySigns:
    def test_is_reported_on_today_and_in_the_list(self, supervisor: Client) -> None:
        """After ten minutes without signing."""
        earlier = timezone.now() - timedelta(minutes=11)
        record_entries([Entry("TESTED", "test:1", {})], at=earlier, actor=Actor("x"))

        assert "Audit log signing has stopped" in text(supervisor, "/admin/")
        assert "No signed head yet" in text(supervisor, "/admin/trail/auditrecord/")

    def test_is_not_reported_at_once(self, supervisor: Client) -> None:
        """New records wait for the next signing."""
        record_entries([Entry("TESTED", "test:1", {})], at=timezone.now(), actor=Actor("x"))

        assert "Audit log signing has stopped" not in text(supervisor, "/admin/")
        append()
        assert "Records in the signed log" in text(supervisor, "/admin/trail/auditrecord/")
