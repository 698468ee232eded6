"""The video of a round: a reference with a digest, and a player (issue 20, point 11)."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.trail.models import AuditRecord
from rounds.models import Round, RoundVideo
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db
DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # of an empty file


@pytest.fixture
def row() -> Round:
    """A round of whose video the feed says something."""
    open_table()
    ingest(lines(baccarat_round("r-1", video={"ref": "archive/r-1", "sha256": "ab" * 32})))
    return Round.objects.get()


def page_of(row: Round) -> str:
    """The address of the round's page."""
    return f"/admin/rounds/round/{row.pk}/change/"


def add(client: Client, row: Round, **other: Any) -> None:
    """Adds a reference."""
    form = {"reference": "https://video.example/r-1.mp4", "start": "1:02:03", "sha256": DIGEST}
    client.post(f"/admin/rounds/{row.pk}/video/", {**form, **other})


class TestTheVideoOfARound:
    def test_supersedes_that_of_the_feed(self, row: Round) -> None:
        """Both stay on the page; the record has the digest."""
        supervisor = reader(person("supervisor"))
        assert "archive/r-1" in plain(supervisor, page_of(row))

        add(supervisor, row)

        words = plain(supervisor, page_of(row))
        assert f"Start of the round 1:02:03 SHA-256 {DIGEST}" in words
        assert re.search(r"Superseded references archive/r-1 by the studio, with the feed", words)
        record = AuditRecord.objects.get(action="ROUND_VIDEO_ADDED")
        assert (record.subject, record.details["sha256"]) == ("round:r-1", DIGEST)

    @pytest.mark.parametrize(
        ("reference", "plays"),
        [
            ("https://video.example/r-1.mp4", True),
            ("https://video.example:444/r-1.mp4", False),
            ("https://video.example.evil.test/r-1.mp4", False),
            ("https://video.example@evil.test/r-1.mp4", False),
            ("http://video.example/r-1.mp4", False),
            ("javascript:alert(1)", False),
            ("https://[broken", False),
            ("s3/r-1.mp4", False),
        ],
    )
    def test_plays_from_configured_origins_only(
        self, row: Round, settings: Settings, reference: str, plays: bool
    ) -> None:
        """The reference of others is a text; the browser is told the same."""
        settings.VIDEO_ORIGINS = ["https://video.example"]
        supervisor = reader(person("supervisor"))
        add(supervisor, row, reference=reference)

        answer = supervisor.get(page_of(row))

        assert (f'src="{reference}#t=3723"' in answer.content.decode()) == plays
        assert ("<video" in answer.content.decode()) == plays
        assert "; media-src https://video.example" in answer["Content-Security-Policy"]

    def test_plays_nowhere_by_default(self, row: Round) -> None:
        """No origin is configured."""
        supervisor = reader(person("supervisor"))
        add(supervisor, row)

        answer = supervisor.get(page_of(row))

        assert "<video" not in answer.content.decode()
        assert answer["Content-Security-Policy"].endswith("; media-src 'none'")

    @pytest.mark.parametrize(
        ("field", "value"),
        [("reference", ""), ("sha256", "ab"), ("sha256", "g" * 64), ("start", "25:00:00")],
    )
    def test_needs_a_reference_and_a_digest(self, row: Round, field: str, value: str) -> None:
        """And a start within a day."""
        add(reader(person("supervisor")), row, **{field: value})

        assert not RoundVideo.objects.exists()

    def test_is_only_compared_by_auditors(self, row: Round) -> None:
        """They check a file against the record and add nothing."""
        auditor = reader(person("auditor"))

        add(auditor, row)

        words = plain(auditor, page_of(row))
        assert not RoundVideo.objects.exists()
        assert "Compare a file with the digest" in words
        assert "Supersede the reference" not in words
