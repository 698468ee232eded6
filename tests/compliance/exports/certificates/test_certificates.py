"""Certificates of rule sets: computed, signed, stored, and part of bundles."""

import hashlib
import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from compliance.certification.services.set_weights import approve_weights, set_weights
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import RuleCertificate
from compliance.exports.services.issue_certificate import issue_certificate
from compliance.trail.models import AuditRecord
from rounds.rules.catalogue import RULE_SETS
from tests.casino_in_play import NOW
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT
from tests.compliance.exports.day_closings import verifier_output
from tests.compliance.exports.exported_days import CLERK, contents, exported, verified
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

BACCARAT = RULE_SETS["baccarat/1"]


def issued(key: SigningKey, *, hours: int = 0) -> tuple[RuleCertificate, bool]:
    """The certificate of baccarat, issued this much later."""
    return issue_certificate(BACCARAT, key=key, at=NOW + timedelta(hours=hours), actor=CLERK)


class TestDocuments:
    """``certify --write`` uses no database."""

    def test_are_written_signed_and_dated(
        self, key: SigningKey, tmp_path: Path, settings: Settings
    ) -> None:
        """Each in four forms; those for people name the digest of what was signed."""
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        folder = tmp_path / "documents"
        call_command("certify", "baccarat/1", "--write", str(folder), stdout=StringIO())

        content, signature, page, pdf = (
            (folder / f"baccarat-1.{form}").read_bytes() for form in ("json", "p7s", "html", "pdf")
        )
        payload = json.loads(content)
        assert (payload["rules"], payload["computed_at"][-6:]) == ("baccarat/1", "+00:00")
        assert hashlib.sha256(content).hexdigest() in page.decode()
        assert pdf.startswith(b"%PDF-")
        verified(tmp_path, content, signature)

    def test_need_the_key(self, tmp_path: Path, settings: Settings) -> None:
        """It is checked before the computation."""
        settings.EXPORT_KEY = str(tmp_path / "none.key")
        with pytest.raises(CommandError, match="found no key"):
            call_command("certify", "--write", str(tmp_path))


@pytest.mark.django_db
class TestACertificate:
    @pytest.mark.slow
    def test_has_every_return_and_is_signed(self, key: SigningKey, tmp_path: Path) -> None:
        """OpenSSL verifies it."""
        certificate, is_new = issued(key)

        assert is_new
        payload = certificate.payload
        assert payload["rules_sha256"] == BACCARAT.digest.hex()
        returns = {row["bet"]: (row["rtp"], row["verdict"]) for row in payload["returns"]}
        assert returns["banker"] == ("98.942094", "none declared")
        assert returns["perfect_pair"] == ("86.970609", "contradiction")
        verified(tmp_path, certificate.content.encode(), bytes(certificate.signature))
        record = AuditRecord.objects.get(action="CERTIFICATE_ISSUED")
        assert record.details["sha256"] == bytes(certificate.digest).hex()

    @pytest.mark.slow
    def test_is_issued_once_while_it_says_the_same(self, key: SigningKey) -> None:
        """A new date is no reason."""
        first, _ = issued(key)
        again, is_new = issued(key, hours=5)

        assert (again, is_new) == (first, False)
        assert RuleCertificate.objects.count() == 1

    @pytest.mark.slow  # ten seconds of a core; test_certify_weights has the figures of others
    def test_rests_on_the_weights_in_force(self, key: SigningKey) -> None:
        """With setter, approver and the document."""
        content = json.dumps(MULTIPLIER_DOCUMENT)
        weights = set_weights(
            content=content, in_force_from=NOW.date(), reason="new server", at=NOW, actor=GIULIA
        )
        approve_weights(weights_id=weights.pk, at=NOW, actor=LORENZO)

        certificate, _ = issue_certificate(
            RULE_SETS["quantum-blackjack/1"], key=key, at=NOW, actor=CLERK
        )

        payload = certificate.payload
        printed_weights = payload["weights"]
        assert (printed_weights["set_by"], printed_weights["approved_by"]) == (
            GIULIA.name,
            LORENZO.name,
        )
        assert (printed_weights["document"], printed_weights["number"]) == (content, str(weights))
        assert payload["returns"][0]["rtp"] == "98.058645"

    def test_is_issued_by_a_command(
        self, key: SigningKey, tmp_path: Path, settings: Settings
    ) -> None:
        """It needs the key and a known rule set."""
        settings.EXPORT_KEY = str(tmp_path / "none.key")
        with pytest.raises(CommandError, match="found no key"):
            call_command("issue_certificates", "baccarat/1")
        settings.EXPORT_KEY = str(tmp_path / "export.key")
        with pytest.raises(CommandError, match="found no rule set poker/1"):
            call_command("issue_certificates", "poker/1")
        output = StringIO()
        call_command("issue_certificates", "baccarat/1", stdout=output)

        assert output.getvalue().startswith("baccarat/1: issued, SHA-256 ")


class TestABundle:
    @pytest.mark.usefixtures("day")
    def test_has_the_certificates_issued_before_its_days_ended(
        self, key: SigningKey, tmp_path: Path
    ) -> None:
        """Later certificates are left out."""
        certificate, _ = issued(key, hours=-12)
        first = exported(tmp_path / "out", key)
        files = contents(first.path)

        assert files["certificates/baccarat-1.json"] == certificate.content.encode()
        assert files["certificates/baccarat-1.json.p7s"] == bytes(certificate.signature)
        assert verifier_output(first.path, tmp_path)
