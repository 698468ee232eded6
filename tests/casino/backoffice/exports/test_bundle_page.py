"""A bundle's page: from the closed day to the regulator's answer."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from compliance.exports.models import Bundle, BundleStep, ExportRun
from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing
from tests.attacks.forgeries import as_web
from tests.casino.backoffice.exports.bundle_steps import BUNDLE, CENTRE, LETTER, sign, work
from tests.casino.backoffice.page_reader import plain
from tests.casino_in_play import open_table
from tests.compliance.exports.day_closings import HOUR
from tests.payouts.gaming_days.day_scenarios import AFTER, DAY, NOON, arrive, dealt, settle_at
from tests.payouts.settlement.resettlement_scenarios import void


class TestADay:
    def test_is_exported_by_a_button(
        self, closed: DayClosing, compliance: Client, tmp_path: Path
    ) -> None:
        """A worker builds the bundle; the run's page links to it."""
        assert "Not exported" in plain(compliance, CENTRE)

        answer = compliance.post(f"{CENTRE}days/{DAY}/")
        run = ExportRun.objects.get()
        assert answer["Location"] == f"{CENTRE}runs/{run.pk}/"
        assert "Waiting" in plain(compliance, answer["Location"])
        assert "In progress" in plain(compliance, CENTRE)
        work(tmp_path)

        assert "The bundle is ready. Bundle 000001" in plain(compliance, answer["Location"])
        words = plain(compliance, CENTRE)
        assert re.search(r"Tue 10 Nov 2026 To be signed 1 44\.00 22\.00 25\.00 0 000001", words)
        assert "Intact 000001" in words

    def test_shows_the_contents_of_its_bundle(self, built: Bundle, compliance: Client) -> None:
        """Registers with rows and totals, first rows, summary."""
        words = plain(compliance, BUNDLE)
        tiles = (
            "Staked €44.00 - Open stakes €22.00 - Refunded €0.00 - Winnings €25.00"
            " = Difference -€3.00 + Corrections of earlier days €0.00 = Gross win -€3.00"
        )
        assert tiles in words.replace("\N{MINUS SIGN}", "-")
        assert re.search(r"Stages 2 10 Nov", words)
        assert "Intact" not in words

        rows = plain(compliance, f"{BUNDLE}registers/bets/")
        assert "all rows, as in the file" in rows
        assert "r-1" in rows
        summary = compliance.get(f"{BUNDLE}summary.pdf")
        assert summary.content.startswith(b"%PDF-")
        assert compliance.get(f"{BUNDLE}registers/none/").status_code == 404

    @pytest.mark.slow
    def test_names_steps_that_nobody_signed(self, built: Bundle, compliance: Client) -> None:
        """Rows by SQL of the web role, which make the bundle look approved."""
        sign(compliance, seen=0)
        assert "Steps that nobody signed" not in plain(compliance, BUNDLE)
        with as_web():
            BundleStep.objects.create(
                bundle=built,
                sequence=2,
                action="signed",
                at=AFTER,
                actor="Lorenzo Ferri",
                actor_user_id=99,
            )

        words = plain(compliance, BUNDLE)

        assert "Steps that nobody signed" in words
        assert words.count("Signed: Lorenzo Ferri") == 1
        assert words.count("No valid signature") == 1
        assert "Download" not in words
        assert "Mark as sent" not in words

    @pytest.mark.slow
    def test_needs_two_signatures(self, built: Bundle, compliance: Client, giulia: Client) -> None:
        """Then the bundle is downloaded, sent, and the answer stored."""
        assert compliance.get(f"{BUNDLE}download/").status_code == 404
        assert "Signed. A second signature is required." in sign(compliance, seen=0)
        assert "You have signed." in plain(compliance, BUNDLE)
        assert "Signed by two persons. The bundle can be sent." in sign(giulia, seen=1)

        file = b"".join(compliance.get(f"{BUNDLE}download/").streaming_content)  # type: ignore[attr-defined]
        assert "manifest.json" in zipfile.ZipFile(io.BytesIO(file)).namelist()
        download = AuditRecord.objects.get(action="BUNDLE_DOWNLOADED")
        assert (download.subject, download.details) == ("bundle:1", {"file": built.path})

        assert giulia.post(f"{BUNDLE}send/", {"seen": 2, **LETTER}).status_code == 403
        compliance.post(f"{BUNDLE}send/", {"seen": 2, **LETTER})
        assert "No answer from the regulator for" in plain(compliance, BUNDLE)
        receipt = SimpleUploadedFile("receipt.pdf", b"%PDF-1.7 protocol 9")
        form = {"seen": 3, **LETTER, "answer": "received", "papers": receipt}
        compliance.post(f"{BUNDLE}answer/", form)

        words = plain(compliance, BUNDLE)
        assert "Acknowledged by the regulator" in words
        assert "PEC 12/2026, 22 Nov 2026" in words
        receipt_file = compliance.get(f"{BUNDLE}answers/4/")
        assert receipt_file.content == b"%PDF-1.7 protocol 9"
        assert receipt_file["Content-Disposition"].startswith("attachment")
        assert "Acknowledged" in plain(giulia, CENTRE)


class TestWhoSigns:
    @pytest.mark.slow
    def test_gives_a_code(self, built: Bundle, giulia: Client) -> None:
        """Unless a second factor was given recently."""
        session = giulia.session
        del session["confirmed_at"]
        session.save()

        assert "Enter the six-digit code from your phone." in sign(giulia, seen=0)
        assert "The code is incorrect" in sign(giulia, seen=0, code="000000")
        assert not BundleStep.objects.exists()

    def test_confirms_the_review(self, built: Bundle, giulia: Client) -> None:
        """Without the checkbox nothing is signed."""
        giulia.post(f"{BUNDLE}sign/", {"seen": 0})

        assert "Confirm that you have reviewed the contents." in plain(giulia, BUNDLE)
        assert not BundleStep.objects.exists()

    @pytest.mark.slow
    def test_is_refused_after_another_step(
        self, built: Bundle, compliance: Client, giulia: Client
    ) -> None:
        """The page names the other person's step."""
        sign(compliance, seen=0)

        assert "compliance updated this bundle: Signed. Review it" in sign(giulia, seen=0)
        assert BundleStep.objects.count() == 1

    def test_may_set_it_aside_with_a_reason(self, built: Bundle, giulia: Client) -> None:
        """It stays in the chain."""
        giulia.post(f"{BUNDLE}aside/", {"seen": 0, "note": ""})
        assert not BundleStep.objects.exists()
        giulia.post(f"{BUNDLE}aside/", {"seen": 0, "note": "twice"})

        assert "Set aside" in plain(giulia, BUNDLE)


class TestAFile:
    @pytest.mark.slow
    def test_that_is_missing_is_rebuilt(
        self, built: Bundle, compliance: Client, tmp_path: Path
    ) -> None:
        """Under the same number."""
        path = tmp_path / "out" / built.path
        path.unlink()
        assert "The file is missing" in plain(compliance, BUNDLE)
        compliance.post(f"{BUNDLE}again/")
        work(tmp_path)

        assert "The file is missing" not in plain(compliance, BUNDLE)
        assert Bundle.objects.count() == 1

    @pytest.mark.parametrize("spoil", [lambda c: c[:-40], lambda _c: b"PK", lambda c: c + b"x"])
    def test_that_was_changed_is_reported(
        self, built: Bundle, compliance: Client, tmp_path: Path, spoil: object
    ) -> None:
        """It can be neither signed nor downloaded."""
        path = tmp_path / "out" / built.path
        path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]  # it is a function

        words = plain(compliance, BUNDLE)

        assert "The file was altered" in words
        assert "I have reviewed the totals" not in words


class TestAnAnswer:
    def test_needs_an_outcome(self, built: Bundle, compliance: Client, giulia: Client) -> None:
        """An answer without outcome is not recorded; a refusal needs a text."""
        sign(compliance, seen=0)
        sign(giulia, seen=1)
        compliance.post(f"{BUNDLE}send/", {"seen": 2, **LETTER})
        for fields in ({}, {"answer": "perhaps"}, {"answer": "refused"}):
            compliance.post(f"{BUNDLE}answer/", {"seen": 3, **LETTER, **fields})
        assert BundleStep.objects.count() == 3

        words = {**LETTER, "note": "another schema", "answer": "refused"}
        compliance.post(f"{BUNDLE}answer/", {"seen": 3, **words})

        assert "Refused by the regulator" in plain(compliance, BUNDLE)


class TestABundleOfAnOpenDay:
    @pytest.mark.slow
    def test_is_marked_and_superseded(
        self, fresh_casino: str, compliance: Client, tmp_path: Path
    ) -> None:
        """By the next bundle of the same days."""
        open_table()
        arrive(dealt("r-1", NOON))
        settle_at()
        compliance.post(f"{CENTRE}days/{DAY}/")
        work(tmp_path)
        assert "A gaming day was still open" in plain(compliance, BUNDLE)

        void("r-1", after=1, at=AFTER + HOUR)
        compliance.post(f"{CENTRE}days/{DAY}/")
        work(tmp_path)

        assert "Superseded by bundle 000002" in plain(compliance, BUNDLE)
        assert "Superseded by bundle 000002" in sign(compliance, seen=0)
        assert not BundleStep.objects.exists()
