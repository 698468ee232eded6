"""The page of a dispute shows which files the customer sees, and shares them (issue 17)."""

import io

import pytest
from django.test import Client
from django.utils import timezone

from payouts.disputes.models import Dispute, DisputeEvidence, EvidenceShare
from payouts.disputes.open_dispute import add_dispute_evidence
from payouts.evidence import File
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_html
from tests.payouts.disputes.dispute_scenarios import ANNA, disputed, play

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7 what staff wrote about the customer"


@pytest.fixture
def dispute() -> Dispute:
    """A dispute with a file attached by Anna, of staff."""
    play()
    dispute = disputed()
    file = File("internal.pdf", PDF)
    add_dispute_evidence(dispute=dispute, file=file, at=timezone.now(), actor=ANNA)
    return dispute


class TestThePage:
    @pytest.fixture
    def desk(self) -> Client:
        """A browser of payments."""
        browser = Client()
        browser.cookies["django_language"] = "en"
        browser.force_login(person("supervisor"))
        return browser

    def test_shows_shared_files_and_shares_others(self, dispute: Dispute, desk: Client) -> None:
        """One button per file; afterwards the page names who shared it."""
        page = f"/admin/disputes/{dispute.pk}/"
        before = page_html(desk.get(page))
        evidence = dispute.evidence.get()

        desk.post(f"{page}evidence/{evidence.pk}/share/")

        after = page_html(desk.get(page))
        assert "Not shown to the customer" in before
        assert "Not shown to the customer" not in after
        assert "Shared with the customer by supervisor" in after
        assert EvidenceShare.objects.get().actor == "supervisor"

    def test_shares_checked_files_only(self, dispute: Dispute, desk: Client) -> None:
        """Files are not shared by default."""
        add = f"/admin/disputes/{dispute.pk}/evidence/add/"
        for name, more in (("a.pdf", {}), ("b.pdf", {"is_shared": "yes"})):
            file = io.BytesIO(PDF)
            file.name = name
            desk.post(add, {"files": file, **more})

        shared = DisputeEvidence.objects.filter(share__isnull=False)
        assert [file.name for file in shared] == ["b.pdf"]

    def test_shares_no_file_of_another_dispute(self, dispute: Dispute, desk: Client) -> None:
        """A forged address is answered 404."""
        evidence = dispute.evidence.get()

        answer = desk.post(f"/admin/disputes/{dispute.pk + 1}/evidence/{evidence.pk}/share/")

        assert answer.status_code == 404
        assert not EvidenceShare.objects.exists()

    def test_shares_no_file_for_an_auditor(self, dispute: Dispute) -> None:
        """An auditor is answered 403."""
        browser = Client()
        browser.force_login(person("auditor"))
        evidence = dispute.evidence.get()

        answer = browser.post(f"/admin/disputes/{dispute.pk}/evidence/{evidence.pk}/share/")

        assert answer.status_code == 403
        assert not EvidenceShare.objects.exists()
