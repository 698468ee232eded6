"""Certificates of rule sets are listed, read and downloaded (issue 8)."""

from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import RuleCertificate
from compliance.exports.services.issue_certificate import issue_certificate
from rounds.rules.catalogue import RULE_SETS
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.exports.export_programs import program
from tests.casino_in_play import NOW
from tests.compliance.exports.exported_days import CLERK, verified

pytestmark = pytest.mark.django_db

CERTIFICATES: Final = "/api/v1/certificates"
BACCARAT: Final = RULE_SETS["baccarat/1"]
READ: Final = "exports:read"


def superseded(signed: RuleCertificate) -> RuleCertificate:
    """A later certificate of a rule set with another digest."""
    return RuleCertificate.objects.create(
        rules="blackjack/1",
        rules_digest=bytes(32),
        content=signed.content,
        digest=bytes(signed.digest),
        signature=bytes(signed.signature),
        key_id=signed.key_id,
        issued_at=NOW + timedelta(hours=1),
        actor=CLERK.name,
    )


class TestCertificates:
    @pytest.mark.slow
    def test_are_listed_newest_first(self, key: SigningKey) -> None:
        """Each says whether it is of the current rule set."""
        signed, _is_new = issue_certificate(BACCARAT, key=key, at=NOW, actor=CLERK)
        later = superseded(signed)

        listed = json_of(program(READ).get(CERTIFICATES))

        assert [(row["id"], row["rules"], row["current"]) for row in listed["data"]] == [
            (later.pk, "blackjack/1", False),
            (signed.pk, "baccarat/1", True),
        ]
        assert listed["next"] is None
        of_one = json_of(program(READ).get(f"{CERTIFICATES}?rules=baccarat/1"))
        assert [row["id"] for row in of_one["data"]] == [signed.pk]

    def test_filter_by_existing_rule_sets(self) -> None:
        """422 lists the rule sets."""
        answer = program(READ).get(f"{CERTIFICATES}?rules=poker/1")

        assert (answer.status_code, slug_of(answer)) == (422, "refused")

    @pytest.mark.slow
    def test_are_given_with_a_signature_that_openssl_verifies(
        self, key: SigningKey, tmp_path: Path
    ) -> None:
        """Also as PDF and HTML."""
        signed, _is_new = issue_certificate(BACCARAT, key=key, at=NOW, actor=CLERK)
        reader = program(READ)

        certificate = json_of(reader.get(f"{CERTIFICATES}/{signed.pk}"))

        files = {name: reader.get(link) for name, link in certificate["links"]["files"].items()}
        signature = files["certificate.json.p7s"].content
        verified(tmp_path, files["certificate.json"].content, signature)
        assert files["certificate.pdf"].content.startswith(b"%PDF-")
        assert certificate["sha256"].encode() in files["certificate.html"].content
        disposition = files["certificate.pdf"].headers["Content-Disposition"]
        assert disposition == 'attachment; filename="baccarat-1-2026-11-21.pdf"'

    @pytest.mark.slow
    def test_that_do_not_exist_are_not_found(self, key: SigningKey) -> None:
        """404 names the path parameter."""
        signed, _is_new = issue_certificate(BACCARAT, key=key, at=NOW, actor=CLERK)
        reader = program(READ)

        answers = [
            reader.get(f"{CERTIFICATES}/{path}")
            for path in (signed.pk + 1, f"{signed.pk}/certificate.exe")
        ]

        assert [answer.status_code for answer in answers] == [404, 404]
        fields = [json_of(answer)["errors"][0]["field"] for answer in answers]
        assert fields == ["path:certificate", "path:file"]
