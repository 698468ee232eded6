"""Certificates are requested on their page."""

from pathlib import Path

import pytest
from django.test import Client

from compliance.exports.models import CertificateRun
from compliance.exports.services.process_certificates import process_certificates
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import NOW

PAGE = "/admin/certificates/baccarat/1/"


class TestAskingForACertificate:
    @pytest.mark.slow
    def test_shows_its_progress_and_then_the_certificate(
        self, compliance: Client, tmp_path: Path
    ) -> None:
        """The certificate names who requested it."""
        assert "Issue a certificate" in plain(compliance, PAGE)
        compliance.post(f"{PAGE}ask/")

        words = plain(compliance, PAGE)
        assert "A certificate is being computed" in words
        assert "Issue a certificate" not in words
        process_certificates(now=lambda: NOW, key=tmp_path / "export.key")

        words = plain(compliance, PAGE)
        assert "98.942094" in words
        assert "Contradictions in the sheet" in words
        assert "Rule interpretations and alternatives" in words
        assert "being computed" not in words
        assert CertificateRun.objects.get().actor == "compliance"

    @pytest.mark.slow
    def test_with_an_identical_result_issues_none(self, compliance: Client, tmp_path: Path) -> None:
        """The page says that the result is identical."""
        for _ in range(2):
            compliance.post(f"{PAGE}ask/")
            process_certificates(now=lambda: NOW, key=tmp_path / "export.key")

        assert "The result is identical" in plain(compliance, PAGE)

    def test_needs_a_second_factor(self, giulia: Client) -> None:
        """Unless one was given recently."""
        session = giulia.session
        del session["confirmed_at"]
        session.save()
        giulia.post(f"{PAGE}ask/", {"code": "000000"})

        assert not CertificateRun.objects.exists()

    @pytest.mark.usefixtures("fresh_casino")
    def test_is_for_those_who_sign_bundles(self) -> None:
        """Others have no button and are answered 403."""
        auditor = reader(person("auditor"))

        assert "Issue a certificate" not in plain(auditor, PAGE)
        assert auditor.post(f"{PAGE}ask/").status_code == 403
