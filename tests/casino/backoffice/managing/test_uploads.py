"""The pages of uploaded feeds: who may upload, what is refused, what became of the documents."""

import gzip
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.trail.actor import Actor
from payouts.cases.models import Case, CaseRun, CaseStep, Reason
from payouts.cases.release_upload import open_upload_release_case
from payouts.cases.remedies import Remedy
from rounds.models.upload import FeedUpload
from rounds.uploads.finish_upload import cancel_upload
from rounds.uploads.ingest_upload import ingest_batch
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_text
from tests.casino.backoffice.second_factors import CONFIRM, code_of, forget_confirmation, wrong_code
from tests.casino_in_play import open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import propose
from tests.payouts.settlement.resettlement_scenarios import LORENZO


@pytest.fixture
def supervisor(desk: Client, signer: User) -> Client:
    """A supervisor's browser with a recent second factor."""
    desk.post(CONFIRM, {"code": code_of(signer)})
    return desk


LIST = "/admin/payouts/feedupload/"
UPLOAD = "/admin/feeds/upload/"


def send(client: Client, content: bytes, name: str = "night.ndjson", **headers: str) -> str:
    """Uploads a file by the form; returns the text of the next page."""
    file = SimpleUploadedFile(name, content)
    answer = client.post(UPLOAD, {"sent": "1", "file": file}, follow=True, headers=headers)
    return page_text(answer.content)


class TestAnUpload:
    def test_shows_progress_and_results(self, supervisor: Client) -> None:
        """A round, a conflict and a broken document, each with a link."""
        open_table()
        other = baccarat_round("r-1", session="M2")
        content = b"\n".join(lines(baccarat_round("r-1"), other, "{broken"))

        waiting = send(supervisor, gzip.compress(content), "night.ndjson.gz")
        upload = FeedUpload.objects.get()
        page = f"{LIST}{upload.pk}/change/"
        refreshing = supervisor.get(page).content.decode()
        ingest_batch(upload.pk, now=timezone.now)
        done = supervisor.get(page).content
        upload.refresh_from_db()
        quarantined = supervisor.get(
            "/admin/rounds/quarantineddocument/", {"source": upload.source}
        )
        not_found = supervisor.get("/admin/rounds/quarantineddocument/", {"source": "other"})

        assert "night.ndjson.gz Waiting 0" in waiting
        assert 'http-equiv="refresh"' in refreshing
        assert 'http-equiv="refresh"' not in done.decode()
        assert "night.ndjson.gz Ingested 100" in page_text(done)
        assert "Rounds 1 Shoes 0 Already stored 0 Conflicts 1 Quarantined 1" in page_text(done)
        assert f"?source={upload.source.replace(' ', '%20')}" in done.decode()
        assert upload.source in page_text(quarantined.content)
        assert "No matching entries" in page_text(not_found.content)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "The file is empty"),
            (b"\x1f\x8bno gzip", "damaged or incomplete"),
            (b"x" * 3000, "Choose a file of at most"),
            (gzip.compress(b"x" * 3000), "Choose a file of at most"),
        ],
        ids=["empty", "no gzip", "large", "large unpacked"],
    )
    def test_that_is_refused_says_why(
        self, supervisor: Client, settings: Settings, content: bytes, words: str
    ) -> None:
        """Nothing is stored."""
        settings.FEED_UPLOAD_BYTES = 2000

        assert words in send(supervisor, content)
        assert not FeedUpload.objects.exists()

    def test_that_its_program_cancelled_says_so(self, supervisor: Client) -> None:
        """In the list, its filter and on its page; it no longer reloads."""
        send(supervisor, b"{}\n")
        upload = FeedUpload.objects.get()
        cancel_upload(upload_id=upload.pk, at=timezone.now(), actor=Actor("Live Studio"))

        page = supervisor.get(f"{LIST}{upload.pk}/change/").content
        cancelled, finished = (
            page_text(supervisor.get(LIST, {"state": state}).content)
            for state in ("cancelled", "finished")
        )

        assert "night.ndjson Cancelled 0" in page_text(page)
        assert "What was ingested stays" in page_text(page)
        assert 'http-equiv="refresh"' not in page.decode()
        assert "night.ndjson" in cancelled
        assert "night.ndjson" not in finished

    def test_without_a_file_says_so(self, supervisor: Client) -> None:
        """A form without a file."""
        page = supervisor.post(UPLOAD, {}, follow=True).content

        assert "The file is empty" in page_text(page)

    def test_by_script_returns_the_next_page(self, supervisor: Client) -> None:
        """A redirect would be followed and lose the messages."""
        file = SimpleUploadedFile("night.ndjson", b"{}\n")
        headers = {"X-Requested-With": "XMLHttpRequest"}

        answer = supervisor.post(UPLOAD, {"sent": "1", "file": file}, headers=headers)

        page = f"{LIST}{FeedUpload.objects.get().pk}/change/"
        assert (answer.status_code, answer.headers["X-Lead-To"]) == (204, page)

    def test_speaks_italian(self, supervisor: Client) -> None:
        """In the words of the other pages."""
        supervisor.cookies["django_language"] = "it"

        assert "night.ndjson In attesa" in send(supervisor, b"{}\n")

    @pytest.mark.parametrize("role", ["payments", "compliance", "auditor", "administrator"])
    def test_is_limited_to_supervisors(self, client: Client, db: None, role: str) -> None:
        """Other roles may read uploads; administrators may not."""
        client.force_login(person(role))

        refused = client.post(UPLOAD, {"file": SimpleUploadedFile("f", b"{}")}).status_code
        looks = client.get(LIST)

        assert refused == 403
        assert looks.status_code == (403 if role == "administrator" else 200)
        assert b'type="file"' not in looks.content


class TestTheUploader:
    def test_without_a_second_factor_stores_nothing(self, client: Client, db: None) -> None:
        """A stolen password must not be enough to invent rounds."""
        client.force_login(person("supervisor"))
        forget_confirmation(client)
        client.cookies["django_language"] = "en"

        page = send(client, lines(baccarat_round("r-1"))[0])

        assert "Nothing was stored." in page
        assert not FeedUpload.objects.exists()

    def test_with_an_expired_or_wrong_code_stores_nothing(
        self, supervisor: Client, signer: User, settings: Settings
    ) -> None:
        """Neither an old confirmation nor a wrong code is enough."""
        settings.CONFIRMED_FOR = timedelta(0)
        file = SimpleUploadedFile("f", lines(baccarat_round("r-1"))[0])

        supervisor.post(UPLOAD, {"sent": "1", "file": file})
        supervisor.post(UPLOAD, {"sent": "1", "file": file, "code": wrong_code(signer)})

        assert not FeedUpload.objects.exists()

    def test_gives_the_code_with_the_file(self, desk: Client, signer: User) -> None:
        """The same form confirms the session."""
        file = SimpleUploadedFile("f", lines(baccarat_round("r-1"))[0])
        forget_confirmation(desk)

        assert 'name="code"' in desk.get(LIST).content.decode()
        desk.post(UPLOAD, {"sent": "1", "file": file, "code": code_of(signer)})

        assert FeedUpload.objects.count() == 1
        assert 'name="code"' not in desk.get(LIST).content.decode()


class TestTheRoundsOfAnUpload:
    @pytest.mark.slow
    def test_are_released_by_another_person(self, supervisor: Client) -> None:
        """The uploader may propose the release, not sign it."""
        open_table()
        send(supervisor, b"\n".join(lines(baccarat_round("r-1"), baccarat_round("r-2"))))
        upload = FeedUpload.objects.get()
        while ingest_batch(upload.pk, now=timezone.now):
            pass
        settle(at=timezone.now())
        page = f"{LIST}{upload.pk}/change/"

        shown = page_text(supervisor.get(page).content)
        form = {"reason": "checked-on-video", "text": "The line was down."}
        opened = supervisor.post(f"/admin/feeds/{upload.pk}/release/", form, follow=True)
        case = Case.objects.get()
        listed = supervisor.get(page).content.decode()
        looked = CaseStep.objects.filter(case=case).count()
        digest = re.findall(r'name="digest" value="([0-9a-f]{64})"', opened.content.decode())
        proposal = {"seen": looked, "remedy": "by_rules", "digest": digest[0], "note": "Seen."}
        proposed = supervisor.post(f"/admin/cases/{case.pk}/propose/", proposal, follow=True)
        signing = {"seen": 2, "digest": digest[0], "note": "Fine.", "read": "on"}
        refused = supervisor.post(f"/admin/cases/{case.pk}/approve/", signing, follow=True)

        assert "2 rounds are held" in shown
        assert "Open a case about these rounds" in shown
        assert "Release and settle by the rules" in page_text(opened.content)
        assert f'href="/admin/cases/{case.pk}/"' in listed
        assert "Open a case about these rounds" not in page_text(listed.encode())
        assert "Proposal recorded. A second person must approve it." in page_text(proposed.content)
        assert "A second person must decide" in page_text(refused.content)
        assert not CaseRun.objects.exists()

    def test_that_another_proposed_are_not_signed_by_the_uploader(
        self, supervisor: Client, signer: User
    ) -> None:
        """The page says so in advance."""
        open_table()
        send(supervisor, lines(baccarat_round("r-1"))[0])
        upload = FeedUpload.objects.get()
        while ingest_batch(upload.pk, now=timezone.now):
            pass
        settle(at=timezone.now())
        reason = Reason.objects.get(code="checked-on-video")
        about: dict[str, Any] = {"upload_id": upload.pk, "reason": reason, "text": "Seen."}
        case = open_upload_release_case(**about, at=timezone.now(), actor=LORENZO)
        propose(case, Remedy.BY_RULES, actor=LORENZO)

        page = page_text(supervisor.get(f"/admin/cases/{case.pk}/").content)

        assert "You uploaded rounds of this case manually" in page
        assert "Sign and execute" not in page
