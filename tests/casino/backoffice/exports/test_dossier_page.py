"""Dossiers on the page of their dispute: issued, signed by a worker, downloaded."""

import io
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.exports.bundle.signing import read_signing_key
from compliance.exports.models import Dossier, DossierSignature
from compliance.exports.services.issue_dossier import sign_dossiers
from compliance.exports.tasks import sign_dossiers_task
from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import by_now
from tests.payouts.disputes.dispute_scenarios import disputed, play

PDF, WHOLE, SIGNED = "it.pdf", "zip", "p7s"


@pytest.fixture
def dispute(fresh_casino: str) -> Dispute:
    """A dispute about a round."""
    play()
    return disputed()


@pytest.fixture
def payments(dispute: Dispute) -> Client:
    """A browser of payments, who opens disputes."""
    user = person("payments")
    give_phone(user)
    return reader(user)


def page_of(dispute: Dispute) -> str:
    """The address of the dispute's page."""
    return f"/admin/disputes/{dispute.pk}/"


def make(client: Client, dispute: Dispute, audience: str = "customer") -> None:
    """Issues the dossier for this reader."""
    client.post(f"{page_of(dispute)}dossier/", {"audience": audience})


def sign(tmp_path: Path) -> None:
    """Signs dossiers, as the worker with the key does."""
    sign_dossiers(key=read_signing_key(tmp_path / "export.key"), now=by_now)


def taken(client: Client, form: str) -> int:
    """The status of downloading a file of the dossier."""
    return client.get(f"/admin/dossiers/{Dossier.objects.get().pk}.{form}").status_code


class TestADossierOnItsPage:
    def test_is_made_and_waits_for_a_worker(self, payments: Client, dispute: Dispute) -> None:
        """Documents can be read; signed files are not available yet."""
        assert "No dossier yet." in plain(payments, page_of(dispute))

        make(payments, dispute)

        assert "Customer" in plain(payments, page_of(dispute))
        assert "Awaiting signature" in plain(payments, page_of(dispute))
        assert [taken(payments, form) for form in (PDF, WHOLE, SIGNED)] == [200, 404, 404]

    def test_is_downloaded_once_it_is_signed(
        self, payments: Client, dispute: Dispute, tmp_path: Path
    ) -> None:
        """The download is recorded."""
        make(payments, dispute, "regulator")
        sign(tmp_path)

        answer = payments.get(f"/admin/dossiers/{Dossier.objects.get().pk}.zip")

        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert archive.read("dossier.json").decode() == Dossier.objects.get().content
        assert archive.read("dossier.json.p7s") == bytes(DossierSignature.objects.get().signature)
        assert "Awaiting signature" not in plain(payments, page_of(dispute))
        record = AuditRecord.objects.get(action="DOSSIER_DOWNLOADED")
        assert record.details == {"form": "zip"}

    def test_is_not_made_again_without_a_change(self, payments: Client, dispute: Dispute) -> None:
        """The page says that it is up to date."""
        make(payments, dispute)
        make(payments, dispute)

        assert Dossier.objects.count() == 1
        assert "is up to date" in plain(payments, page_of(dispute))

    def test_needs_a_reader(self, payments: Client, dispute: Dispute) -> None:
        """Without one none is issued."""
        make(payments, dispute, "press")

        assert not Dossier.objects.exists()
        assert "Choose a recipient for the dossier." in plain(payments, page_of(dispute))

    def test_has_no_file_of_another_form(self, payments: Client, dispute: Dispute) -> None:
        """Unknown forms are answered 404."""
        make(payments, dispute)

        assert [taken(payments, form) for form in ("exe", "fr.pdf", "json")] == [404, 404, 404]

    def test_waits_for_a_worker_with_the_key(
        self, payments: Client, dispute: Dispute, settings: Settings, tmp_path: Path
    ) -> None:
        """The next worker with a key signs it."""
        make(payments, dispute)
        settings.EXPORT_KEY = str(tmp_path / "none.key")
        sign_dossiers_task()
        assert not DossierSignature.objects.exists()

        settings.EXPORT_KEY = str(tmp_path / "export.key")
        sign_dossiers_task()

        assert DossierSignature.objects.count() == 1
