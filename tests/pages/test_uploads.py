"""The pages of uploaded feeds: who may upload, what is refused, what became of the documents."""

import gzip
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from payouts.models import FeedUpload
from payouts.services.ingest_upload import ingest_batch
from tests.casino_in_play import open_table
from tests.documents import baccarat_round, lines
from tests.pages.conftest import person

LIST = "/admin/payouts/feedupload/"
UPLOAD = "/admin/feeds/upload/"


def send(client: Client, content: bytes, name: str = "night.ndjson", **headers: str) -> str:
    """Uploads a file through the form; gives the page that it leads to, as it reads."""
    file = SimpleUploadedFile(name, content)
    answer = client.post(UPLOAD, {"sent": "1", "file": file}, follow=True, headers=headers)
    return plain(answer.content)


def plain(page: bytes) -> str:
    """A page as it reads, without marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.decode()))


class TestAnUpload:
    def test_shows_how_far_it_is_and_what_became_of_its_documents(self, supervisor: Client) -> None:
        """Waiting, then done: a round, a conflict and a broken document, each with its link."""
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
        found = supervisor.get("/admin/rounds/quarantineddocument/", {"source": upload.source})
        not_found = supervisor.get("/admin/rounds/quarantineddocument/", {"source": "other"})

        assert "night.ndjson.gz Waiting 0" in waiting
        assert 'http-equiv="refresh"' in refreshing
        assert 'http-equiv="refresh"' not in done.decode()
        assert "night.ndjson.gz Ingested 100" in plain(done)
        assert "Rounds 1 Shoes 0 Known already 0 Conflicts 1 Quarantined 1" in plain(done)
        assert f"?source={upload.source.replace(' ', '%20')}" in done.decode()
        assert upload.source in plain(found.content)
        assert "Nothing in quarantine" in plain(not_found.content)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "the file is empty"),
            (b"\x1f\x8bno gzip", "cannot be unpacked"),
            (b"x" * 3000, "choose a file of at most"),
            (gzip.compress(b"x" * 3000), "choose a file of at most"),
        ],
        ids=["empty", "no gzip", "large", "large unpacked"],
    )
    def test_that_cannot_be_kept_says_why(
        self, supervisor: Client, settings: Settings, content: bytes, words: str
    ) -> None:
        """Of 2,000 bytes at most; nothing is stored."""
        settings.FEED_UPLOAD_BYTES = 2000

        assert words in send(supervisor, content)
        assert not FeedUpload.objects.exists()

    def test_without_a_file_says_so(self, supervisor: Client) -> None:
        """A form that was sent by hand."""
        page = supervisor.post(UPLOAD, {}, follow=True).content

        assert "the file is empty" in plain(page)

    def test_by_our_script_is_told_where_to_go(self, supervisor: Client) -> None:
        """It would follow a redirect by itself, and swallow the messages of the page behind it."""
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
    def test_is_the_supervisors(self, client: Client, db: None, role: str) -> None:
        """Others look; the administrator does not even do that."""
        client.force_login(person(role))

        refused = client.post(UPLOAD, {"file": SimpleUploadedFile("f", b"{}")}).status_code
        looks = client.get(LIST)

        assert refused == 403
        assert looks.status_code == (403 if role == "administrator" else 200)
        assert b'type="file"' not in looks.content
