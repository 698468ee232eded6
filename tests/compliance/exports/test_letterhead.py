"""The letterhead of PDFs: the operator's settings, on each document, without effect on proofs."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from django.utils.translation import override
from pypdf import PdfReader

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.files import pdf_of
from compliance.exports.dossier.models import Dossier
from compliance.exports.encoders.certificate_pdf import certificate_pdf
from compliance.exports.encoders.letterhead import letterhead
from compliance.exports.services.issue_dossier import issue_dossier
from payouts.disputes.models import Dispute
from tests.casino_in_play import NOW
from tests.compliance.exports.certificates.certificate_payloads import DIGEST, payload
from tests.compliance.exports.exported_days import CLERK, contents, exported
from tests.compliance.exports.verifier_runs import run_verifier
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import disputed, play, reject, take

OPERATOR = {
    "OPERATOR_NAME": "Casinò <Aurora> S.p.A.",
    "OPERATOR_LICENCE": "GAD 15999",
    "ADR_CONTACT": "ADR Centre, adr@example.org",
}
HEAD = (
    "Casinò <Aurora> S.p.A. Concessione: GAD 15999 · Risoluzione alternativa delle controversie"
    " (ADR): ADR Centre, adr@example.org"
)


@pytest.fixture
def operator() -> Iterator[None]:
    """All three settings, with characters that markup would take for its own."""
    with override_settings(**OPERATOR):
        yield


def first_words(pdf: bytes) -> str:
    """The text of the first page."""
    return " ".join(PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())


@pytest.mark.usefixtures("operator")
class TestItIsOn:
    def test_certificates(self) -> None:
        """Above their title."""
        words = first_words(certificate_pdf(payload(), digest=DIGEST))

        assert words.startswith(HEAD)

    @pytest.mark.django_db
    def test_dossiers(self) -> None:
        """In the language of the document; the signed content is the same without it."""
        play(baccarat_round("r-1"))
        dispute: Dispute = disputed(bet_number=0)
        take(dispute)
        reject(dispute)
        dossier, _is_new = issue_dossier(dispute, Dossier.Audience.CUSTOMER, at=NOW, actor=CLERK)

        assert HEAD in first_words(pdf_of(dossier, "it"))
        assert "Licence: GAD 15999 · Alternative" in first_words(pdf_of(dossier, "en"))
        assert "Aurora" not in dossier.content

    @pytest.mark.slow
    def test_summaries_of_bundles_that_verify(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """Its digest covers the summary: other settings give a new bundle."""
        first = exported(tmp_path, key)

        assert first_words(contents(first.path)["summary.pdf"]).startswith(HEAD)
        run = run_verifier(first.path, "--key-id", key.key_id)
        assert "WRONG" not in run.output
        assert not exported(tmp_path, key).is_new
        with override_settings(OPERATOR_NAME="Casinò Borea S.p.A."):
            assert exported(tmp_path, key).is_new


class TestWithout:
    @pytest.mark.parametrize(
        ("settings", "parts"),
        [
            ({}, []),
            ({"OPERATOR_NAME": "Aurora"}, ["Aurora"]),
            ({"ADR_CONTACT": "ADR Centre"}, ["Alternative dispute resolution (ADR): ADR Centre"]),
        ],
    )
    def test_a_setting_its_part_is_left_out(
        self, settings: dict[str, Any], parts: list[str]
    ) -> None:
        """And the rule below, if there is nothing."""
        empty = dict.fromkeys(OPERATOR, "")

        with override_settings(**empty | settings), override("en"):
            shown = [part.text for part in letterhead() if hasattr(part, "text")]

        assert shown == parts
