"""The export centre on pages: from the closed day to the regulator's answer."""

import io
import re
import zipfile
from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from compliance.exports.models import Bundle, BundleStep, ExportRun
from compliance.exports.services.run_exports import work_on_exports
from compliance.trail.models import AuditRecord
from payouts.models import DayClosing
from tests.casino_in_play import NOW, by_now, open_table
from tests.exports.closings import HOUR, log
from tests.exports.days import key_in
from tests.pages.conftest import person
from tests.pages.factors import give_phone
from tests.payouts.days.midnight import AFTER, DAY, NOON, arrive, close, dealt, settle_at
from tests.payouts.two import void

CENTRE: Final = "/admin/exports/"
BUNDLE: Final = "/admin/exports/bundles/1/"
LETTER: Final = {"reference": "PEC 12/2026", "on_day": "2026-11-22", "note": ""}


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    """Where bundles and the key lie."""
    key_in(tmp_path)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    settings.EXPORTS_FOLDER = str(tmp_path / "out")


@pytest.fixture
def closed(fresh_casino: str) -> DayClosing:
    """r-1 was settled, r-2 is held; the day is closed, and in the log."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR, held=True))
    settle_at()
    closing = close()
    log()
    return closing


def work(tmp_path: Path) -> None:
    """What a worker does."""
    work_on_exports(now=lambda: NOW, key=tmp_path / "export.key", folder=tmp_path / "out")


@pytest.fixture
def built(closed: DayClosing, compliance: Client, tmp_path: Path) -> Bundle:
    """The day's bundle, as compliance asked for it."""
    compliance.post(f"{CENTRE}days/{DAY}/")
    work(tmp_path)
    return Bundle.objects.get()


def reader(user: User) -> Client:
    """A browser in which this person has logged in with a phone, and reads English."""
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    session = client.session
    session["confirmed_at"] = by_now().timestamp()
    session.save()
    return client


@pytest.fixture
def compliance(fresh_casino: str) -> Client:
    """Where compliance has logged in."""
    user = person("compliance")
    give_phone(user)
    return reader(user)


@pytest.fixture
def giulia(fresh_casino: str) -> Client:
    """Where the supervisor has logged in."""
    user = person("supervisor")
    give_phone(user)
    return reader(user)


def plain(client: Client, address: str) -> str:
    """A page as it reads, without marks."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    page = re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def sign(client: Client, *, seen: int, **more: str) -> str:
    """Signs, and gives what the page then says."""
    client.post(f"{BUNDLE}sign/", {"seen": seen, "read": "on", **more})
    return plain(client, BUNDLE)


class TestADay:
    def test_is_exported_at_a_click(
        self, closed: DayClosing, compliance: Client, tmp_path: Path
    ) -> None:
        """The list offers it; a worker makes it; the page of the run leads to the bundle."""
        assert "Not exported" in plain(compliance, CENTRE)

        answer = compliance.post(f"{CENTRE}days/{DAY}/")
        run = ExportRun.objects.get()
        assert answer["Location"] == f"{CENTRE}runs/{run.pk}/"
        assert "Waiting" in plain(compliance, answer["Location"])
        assert "Being made" in plain(compliance, CENTRE)
        work(tmp_path)

        assert "The bundle is made. Bundle 000001" in plain(compliance, answer["Location"])
        words = plain(compliance, CENTRE)
        assert re.search(r"Tue 10 Nov To be signed 1 22\.00 25\.00 0 000001", words)
        assert "Whole 000001" in words

    def test_tells_what_its_bundle_holds(self, built: Bundle, compliance: Client) -> None:
        """Registers with rows and totals, the first rows, the summary."""
        words = plain(compliance, BUNDLE)
        assert re.search(r"Staked €\s?44\.00", words)
        assert re.search(r"Stages 2 10 Nov", words)
        assert "Whole" not in words

        rows = plain(compliance, f"{BUNDLE}registers/bets/")
        assert "all rows, as they stand in the file" in rows
        assert "r-1" in rows
        summary = compliance.get(f"{BUNDLE}summary.pdf")
        assert summary.content.startswith(b"%PDF-")
        assert compliance.get(f"{BUNDLE}registers/none/").status_code == 404

    def test_goes_to_the_regulator_by_two(
        self, built: Bundle, compliance: Client, giulia: Client
    ) -> None:
        """Not before; then it is downloaded, sent, and its answer kept."""
        assert compliance.get(f"{BUNDLE}download/").status_code == 404
        assert "Signed. A second person signs, too." in sign(compliance, seen=0)
        assert "You have signed." in plain(compliance, BUNDLE)
        assert "Signed by two. The bundle may be sent." in sign(giulia, seen=1)

        file = b"".join(compliance.get(f"{BUNDLE}download/").streaming_content)  # type: ignore[attr-defined]
        assert "manifest.json" in zipfile.ZipFile(io.BytesIO(file)).namelist()
        taken = AuditRecord.objects.get(action="BUNDLE_DOWNLOADED")
        assert (taken.subject, taken.details) == ("bundle:1", {"file": built.path})

        assert giulia.post(f"{BUNDLE}send/", {"seen": 2, **LETTER}).status_code == 403
        compliance.post(f"{BUNDLE}send/", {"seen": 2, **LETTER})
        assert "The regulator's answer has been awaited for" in plain(compliance, BUNDLE)
        receipt = SimpleUploadedFile("receipt.pdf", b"%PDF-1.7 protocol 9")
        said = {"seen": 3, **LETTER, "answer": "received", "papers": receipt}
        compliance.post(f"{BUNDLE}answer/", said)

        words = plain(compliance, BUNDLE)
        assert "Acknowledged by the regulator" in words
        assert "PEC 12/2026, 22 Nov 2026" in words
        kept = compliance.get(f"{BUNDLE}answers/4/")
        assert kept.content == b"%PDF-1.7 protocol 9"
        assert kept["Content-Disposition"].startswith("attachment")
        assert "Acknowledged" in plain(giulia, CENTRE)


class TestWhoSigns:
    def test_proves_who_he_is(self, built: Bundle, giulia: Client) -> None:
        """With a code, where nothing was proved of late."""
        session = giulia.session
        del session["confirmed_at"]
        session.save()

        assert "Give the six digits of your phone." in sign(giulia, seen=0)
        assert "This code is wrong" in sign(giulia, seen=0, code="000000")
        assert not BundleStep.objects.exists()

    def test_says_that_he_has_looked(self, built: Bundle, giulia: Client) -> None:
        """Nothing is signed unread."""
        giulia.post(f"{BUNDLE}sign/", {"seen": 0})

        assert "Say that you have looked at what it holds." in plain(giulia, BUNDLE)
        assert not BundleStep.objects.exists()

    def test_is_told_what_another_did_meanwhile(
        self, built: Bundle, compliance: Client, giulia: Client
    ) -> None:
        """And looks again."""
        sign(compliance, seen=0)

        assert "compliance acted on it: Signed. Look again" in sign(giulia, seen=0)
        assert BundleStep.objects.count() == 1

    def test_may_set_it_aside_with_a_reason(self, built: Bundle, giulia: Client) -> None:
        """It stays in the chain."""
        giulia.post(f"{BUNDLE}aside/", {"seen": 0, "note": ""})
        assert not BundleStep.objects.exists()
        giulia.post(f"{BUNDLE}aside/", {"seen": 0, "note": "twice"})

        assert "Set aside" in plain(giulia, BUNDLE)


class TestAFile:
    def test_that_is_away_is_made_anew(
        self, built: Bundle, compliance: Client, tmp_path: Path
    ) -> None:
        """Under the same number."""
        path = tmp_path / "out" / built.path
        path.unlink()
        assert "The file is not there" in plain(compliance, BUNDLE)
        compliance.post(f"{BUNDLE}again/")
        work(tmp_path)

        assert "The file is not there" not in plain(compliance, BUNDLE)
        assert Bundle.objects.count() == 1

    @pytest.mark.parametrize("spoil", [lambda c: c[:-40], lambda _c: b"PK", lambda c: c + b"x"])
    def test_that_was_changed_is_told(
        self, built: Bundle, compliance: Client, tmp_path: Path, spoil: object
    ) -> None:
        """And neither signed nor downloaded."""
        path = tmp_path / "out" / built.path
        path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]  # it is a function

        words = plain(compliance, BUNDLE)

        assert "The file is not the one that was made" in words
        assert "I have looked at the totals" not in words


class TestAnExtract:
    def test_is_asked_for_by_a_form(
        self, closed: DayClosing, compliance: Client, tmp_path: Path
    ) -> None:
        """Of a customer, with a reason, which is on record."""
        form = {
            "contents": "registers",
            "first_day": str(DAY),
            "last_day": str(DAY),
            "customer": "p-2",
            "reason": "ADM prot. 77",
        }
        for wrong, said in (
            ({"customer": "nobody"}, "Nobody is called nobody."),
            ({"last_day": "2026-11-09"}, "This is before the first day."),
            ({"last_day": "2028-11-09"}, "366 days at most."),
            ({"reason": ""}, "This field is required."),
        ):
            answer = compliance.post(f"{CENTRE}new/", form | wrong)
            assert said in answer.content.decode().replace("&#x27;", "'")
        assert not ExportRun.objects.exists()
        compliance.post(f"{CENTRE}new/", form)
        work(tmp_path)

        record = AuditRecord.objects.get(action="EXPORT_ASKED")
        assert record.details["reason"] == "ADM prot. 77"
        words = plain(compliance, CENTRE)
        assert "000001 To be signed 10 Nov 2026 · Registers · extract" in words
        assert "Registers · p-2" in plain(compliance, f"{CENTRE}bundles/")


class TestABundleOfAnOpenDay:
    def test_says_so_and_is_superseded(
        self, fresh_casino: str, compliance: Client, tmp_path: Path
    ) -> None:
        """By the one that is made once something has changed."""
        open_table()
        arrive(dealt("r-1", NOON))
        settle_at()
        compliance.post(f"{CENTRE}days/{DAY}/")
        work(tmp_path)
        assert "A day was still open" in plain(compliance, BUNDLE)

        void("r-1", after=1, at=AFTER + HOUR)
        compliance.post(f"{CENTRE}days/{DAY}/")
        work(tmp_path)

        assert "Bundle 000002 took its place" in plain(compliance, BUNDLE)
        assert "Bundle 000002 took its place" in sign(compliance, seen=0)
        assert not BundleStep.objects.exists()


class TestTheReports:
    @pytest.mark.parametrize(
        ("key", "said"),
        [
            ("game_performance", "Player 2 2"),
            ("large_wins", "There is nothing to report of these days."),
            ("significant_events", "Day closed day:2026-11-10"),
            ("alterations", "There is nothing to report of these days."),
        ],
    )
    def test_are_shown(self, closed: DayClosing, giulia: Client, key: str, said: str) -> None:
        """Of the days that are asked for."""
        days = f"first_day={DAY}&last_day=2026-12-01"

        assert said in plain(giulia, f"{CENTRE}reports/{key}/?{days}")

    def test_of_too_many_days_are_bundles(self, closed: DayClosing, giulia: Client) -> None:
        """A page shows a month; a wrong day nothing."""
        days = f"first_day={DAY}&last_day=2027-12-01"
        words = plain(giulia, f"{CENTRE}reports/game_performance/?{days}")

        assert "A page shows 31 days at most" in words
        assert giulia.get(f"{CENTRE}reports/none/").status_code == 404
        plain(giulia, f"{CENTRE}reports/alterations/?first_day=x&last_day=y")


class TestTheCertificate:
    def test_is_for_everybody_who_sees_bundles(self, giulia: Client, tmp_path: Path) -> None:
        """The key is for nobody."""
        answer = giulia.get(f"{CENTRE}operator.crt")

        assert answer.content == (tmp_path / "export.crt").read_bytes()
        assert b"PRIVATE" not in answer.content


class TestToday:
    def test_counts_the_bundles_that_wait(
        self, built: Bundle, compliance: Client, giulia: Client
    ) -> None:
        """To be signed or sent, for those who may; what was sent waits for the regulator."""
        counted = "1 Bundles to sign or to send"
        assert counted in plain(compliance, "/admin/")
        sign(compliance, seen=0)
        sign(giulia, seen=1)
        assert counted in plain(giulia, "/admin/")
        compliance.post(f"{BUNDLE}send/", {"seen": 2, **LETTER})
        assert "0 Bundles to sign or to send" in plain(giulia, "/admin/")
        assert "Bundles to sign" not in plain(reader(person("payments")), "/admin/")
