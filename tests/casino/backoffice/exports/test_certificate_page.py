"""The page of a rule set's certificate, and its files."""

import json
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import read_signing_key
from compliance.exports.models import RuleCertificate
from compliance.exports.services.issue_certificate import issue_certificate
from rounds.rules.catalogue import RULE_SETS
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW
from tests.compliance.exports.certificates.certificate_payloads import CARDS, with_implied
from tests.compliance.exports.exported_days import CLERK


@pytest.mark.django_db
class TestTheCertificate:
    @pytest.mark.slow
    def test_is_shown_with_its_files(self, tmp_path: Path) -> None:
        """Before it is issued the page says so."""
        client = reader(person("auditor"))
        page = "/admin/certificates/baccarat/1/"
        assert "No certificate yet." in plain(client, page)
        certificate, _ = issue_certificate(
            RULE_SETS["baccarat/1"],
            key=read_signing_key(tmp_path / "export.key"),
            at=NOW,
            actor=CLERK,
        )

        words = plain(client, page)
        assert "98.942094" in words
        assert "Contradiction" in words
        assert "a different version of the rules" not in words
        files = {
            form: client.get(f"/admin/certificates/{certificate.pk}.{form}")
            for form in ("json", "p7s")
        }
        assert json.loads(files["json"].content) == certificate.payload
        assert files["p7s"].content == bytes(certificate.signature)
        pdf = client.get(f"/admin/certificates/{certificate.pk}.pdf").content
        assert pdf.startswith(b"%PDF-")
        assert pdf == client.get(f"/admin/certificates/{certificate.pk}.pdf").content
        html = client.get(f"/admin/certificates/{certificate.pk}.html")
        assert html["Content-Disposition"].startswith("attachment")
        assert bytes(certificate.digest).hex() in page_html(html)
        assert client.get(f"/admin/certificates/{certificate.pk}.exe").status_code == 404

    def test_shows_the_implied_average_multiplier(self) -> None:
        """For three multiplier cards in every round."""
        document = json.dumps(with_implied(CARDS))
        RuleCertificate.objects.create(rules="zappit-blackjack/1", content=document, issued_at=NOW)

        words = plain(reader(person("auditor")), "/admin/certificates/zappit-blackjack/1/")

        assert "With 3 multiplier cards in every round" in words
        assert "an average multiplier of 3.7943 per card." in words
        assert "no multiplier weights were in force" in words
