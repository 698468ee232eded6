"""Documents of a sandbox say so in what is signed and on each page; others do not change."""

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.files import dossier_zip, pdf_of
from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.exports.encoders.certificate_pdf import certificate_pdf
from compliance.exports.services.issue_dossier import issue_dossier, sign_dossiers
from tests.casino_in_play import NOW
from tests.compliance.exports.certificates.certificate_payloads import DIGEST, payload
from tests.compliance.exports.exported_days import CLERK, contents, exported
from tests.compliance.exports.packed_bundles import MANIFEST, packed
from tests.compliance.exports.verifier_runs import VerifierRun, run_verifier
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import disputed, play, reject, take

ITALIAN = "AMBIENTE DI PROVA"


@pytest.fixture
def _sandbox(settings: Settings) -> None:
    settings.SANDBOX = True


def marked_pages(pdf: bytes, mark: str) -> tuple[int, int]:
    """The number of pages with the mark, and of all."""
    texts = [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    return sum(mark in text for text in texts), len(texts)


def refused_without_the_option(path: Path, key: SigningKey) -> VerifierRun:
    """The verifier names the sandbox; gives its run without the option."""
    counted = run_verifier(path, "--key-id", key.key_id, "--sandbox")
    run = run_verifier(path, "--key-id", key.key_id)
    assert (counted.status, run.status) == (0, 1)
    assert counted.output == run.output
    assert "SANDBOX, NOT REAL: " in run.output
    assert "RIGHT" not in run.output
    return run


class TestABundle:
    @pytest.mark.slow
    @pytest.mark.usefixtures("_sandbox")
    def test_of_a_sandbox_is_not_taken_for_a_real_one(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """Its signed manifest says so, and so do its summary and its README."""
        bundle = exported(tmp_path / "out", key)

        files = contents(bundle.path)
        assert "bundle 1 of" in refused_without_the_option(bundle.path, key).output
        assert json.loads(files[MANIFEST])["sandbox"] is True
        assert files["README.txt"].startswith(b"SANDBOX: nothing in this bundle is real.")
        marked, pages = marked_pages(files["summary.pdf"], ITALIAN)
        assert marked == pages > 0
        assert not exported(tmp_path / "out", key).is_new

    @pytest.mark.usefixtures("_sandbox")
    def test_cannot_deny_it(self, day: None, key: SigningKey, tmp_path: Path) -> None:
        """The signature covers the manifest."""
        files = contents(exported(tmp_path / "out", key).path)
        manifest = json.loads(files[MANIFEST])
        del manifest["sandbox"]
        forged = packed(tmp_path / "forged.zip", {**files, MANIFEST: json.dumps(manifest).encode()})

        run = run_verifier(forged, "--key-id", key.key_id)

        assert run.status == 1
        assert run.last_line.startswith("WRONG: ")

    def test_of_a_casino_says_nothing_of_it(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """Its manifest is that of earlier releases."""
        bundle = exported(tmp_path / "out", key)

        files = contents(bundle.path)
        assert "sandbox" not in json.loads(files[MANIFEST])
        assert b"SANDBOX" not in files["README.txt"]
        assert marked_pages(files["summary.pdf"], ITALIAN)[0] == 0
        assert "RIGHT: " in run_verifier(bundle.path, "--key-id", key.key_id).output


@pytest.mark.django_db
@pytest.mark.usefixtures("_sandbox")
def test_a_dossier_of_a_sandbox_is_not_taken_for_a_real_one(
    key: SigningKey, tmp_path: Path
) -> None:
    """In both languages."""
    play(baccarat_round("r-1"))
    dispute = disputed(bet_number=0)
    take(dispute)
    reject(dispute)
    dossier, _is_new = issue_dossier(dispute, Dossier.Audience.CUSTOMER, at=NOW, actor=CLERK)
    sign_dossiers(key=key, now=lambda: NOW + timedelta(minutes=1))
    archive = tmp_path / "dossier.zip"
    signature = bytes(DossierSignature.objects.get().signature)
    archive.write_bytes(dossier_zip(dossier, signature=signature))

    assert f"dossier of dispute {dispute}" in refused_without_the_option(archive, key).output
    for language, mark in (("it", ITALIAN), ("en", "SANDBOX")):
        marked, pages = marked_pages(pdf_of(dossier, language), mark)
        assert marked == pages > 0


@pytest.mark.parametrize("is_sandbox", [False, True])
def test_a_certificate_is_marked_in_a_sandbox(settings: Settings, is_sandbox: bool) -> None:
    """On each of its pages."""
    settings.SANDBOX = is_sandbox

    marked, pages = marked_pages(certificate_pdf(payload(), digest=DIGEST), ITALIAN)

    assert marked == (pages if is_sandbox else 0)
