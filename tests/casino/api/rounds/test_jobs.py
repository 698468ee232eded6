"""Large deliveries become jobs with results by line (issue 8)."""

import gzip
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from casino.integrations.models import ApiKey
from rounds.models import Round
from rounds.models.upload import FeedAnswers, FeedUpload
from rounds.uploads.ingest_upload import ingest_uploads
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.studio import NDJSON, ROUNDS, answers, studio, whole
from tests.casino_in_play import NOW, by_now, open_table
from tests.documents import baccarat_round, lines, shoe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


def begun(program: Program, body: bytes, form: str = NDJSON, **headers: Any) -> HttpResponse:
    """A delivery that asks to be a job."""
    headers = {"Content_Type": form, "Prefer": "respond-async", **headers}
    return program.call("POST", ROUNDS, body, **headers)


def feed(*documents: object) -> bytes:
    """The documents as a file."""
    return b"".join(line + b"\n" for line in lines(*documents))


def done(program: Program, answer: HttpResponse) -> tuple[Any, list[dict[str, Any]]]:
    """Runs the workers; returns the job and its verdicts."""
    ingest_uploads(now=by_now, after_batch=lambda: None, is_over=lambda: False)
    links = json_of(answer)["links"]
    return json_of(program.get(links["self"])), answers(whole(program.get(links["results"])))


class TestAJob:
    def test_is_accepted_and_waits(self) -> None:
        """202 with Location; nothing is ingested yet."""
        program = studio()

        answer = begun(program, feed(baccarat_round("r-1")))

        job = json_of(answer)
        assert answer.status_code == 202
        assert answer.headers["Preference-Applied"] == "respond-async"
        assert answer.headers["Location"] == job["links"]["self"]
        assert (job["status"], job["percent"], job["finished_at"]) == ("waiting", 0, None)
        assert json_of(program.get(job["links"]["self"])) == job
        assert answers(whole(program.get(job["links"]["results"]))) == []
        assert not Round.objects.exists()

    def test_is_answered_line_by_line_when_it_is_done(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Like a stream, in several batches."""
        monkeypatch.setattr("rounds.documents.BATCH_DOCUMENTS", 2)
        program = studio()
        document = baccarat_round("r-1")
        answer = begun(program, feed(shoe("s-1"), document, "", document, "{broken"))

        job, verdicts = done(program, answer)

        assert (job["status"], job["percent"], job["lines"]) == ("finished", 100, 5)
        assert job["verdicts"] == {"accepted": 2, "known": 1, "conflict": 0, "refused": 1}
        assert [(verdict["line"], verdict["verdict"]) for verdict in verdicts] == [
            (1, "accepted"),
            (2, "accepted"),
            (4, "known"),
            (5, "refused"),
        ]
        assert verdicts[1]["id"] == str(Round.objects.get().id)
        assert FeedAnswers.objects.count() == 2

    def test_may_be_one_document_on_many_lines(self) -> None:
        """Indented JSON is one document."""
        program = studio()
        body = json.dumps(baccarat_round("r-1"), indent=2).encode()

        _job, verdicts = done(program, begun(program, body, "application/json"))

        assert [verdict["verdict"] for verdict in verdicts] == ["accepted"]

    def test_is_what_a_large_document_becomes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A large document becomes a job without Prefer."""
        monkeypatch.setattr("casino.api.rounds.collection.LARGEST_DOCUMENT", 500)

        answer = studio().post(ROUNDS, baccarat_round("r-1"))

        assert answer.status_code == 202

    def test_may_be_packed(self) -> None:
        """The body may be gzip."""
        program = studio()

        _job, verdicts = done(program, begun(program, gzip.compress(feed(baccarat_round("r-1")))))

        assert [verdict["verdict"] for verdict in verdicts] == ["accepted"]

    def test_that_is_requested_twice_is_one(self) -> None:
        """By its Idempotency-Key; another body is refused."""
        program, body = studio(), feed(baccarat_round("r-1"))
        first = begun(program, body, once="a")

        again = begun(program, body, once="a")
        other = begun(program, body + b"\n", once="a")

        assert (again.status_code, again.content) == (202, first.content)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert slug_of(other) == "idempotency-key-reused"
        assert FeedUpload.objects.count() == 1

    def test_is_seen_by_its_own_key_alone(self) -> None:
        """Other keys get 404."""
        job = json_of(begun(studio(), feed(baccarat_round("r-1"))))

        assert job["links"]
        for address in job["links"].values():
            answer = studio().get(address)
            assert (answer.status_code, slug_of(answer)) == (404, "not-found")

    def test_of_a_key_with_tables_is_limited_to_them(self) -> None:
        """The workers refuse other tables."""
        open_table("bac-2")
        program = studio(tables=["bac-1"])
        body = feed(baccarat_round("r-1", table="bac-2"), baccarat_round("r-2"))

        _job, verdicts = done(program, begun(program, body))

        assert [verdict["verdict"] for verdict in verdicts] == ["refused", "accepted"]
        assert Round.objects.get().reference == "r-2"

    @pytest.mark.parametrize(
        ("body", "status", "slug"),
        [
            (gzip.compress(b"", mtime=0), 400, "malformed"),
            (b"\x1f\x8bnothing", 400, "malformed"),
            (b"x" * 3000, 413, "too-large"),
            (gzip.compress(b"x" * 3000, mtime=0), 413, "too-large"),
        ],
    )
    def test_is_refused_for_an_invalid_body(
        self, settings: Settings, body: bytes, status: int, slug: str
    ) -> None:
        """Nothing is stored."""
        settings.FEED_UPLOAD_BYTES = 2000

        answer = begun(studio(), body)

        assert (answer.status_code, slug_of(answer)) == (status, slug)
        assert not FeedUpload.objects.exists()

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("", [2, 1, 0]),
            ("sort=delivered", [0, 1, 2]),
            ("delivered_since=2026-11-22T22:00:00Z", [2, 1]),
            ("delivered_before=2026-11-22T22:00:00Z", [0]),
            ("sort=finished", [1, 0]),
            ("finished_since=2026-11-25T22:00:00Z", [0]),
            ("finished_before=2026-11-25T22:00:00Z", [1]),
        ],
    )
    def test_is_listed_by_its_delivery_and_its_end(self, query: str, expected: list[int]) -> None:
        """Delivered one day after the other; the second ended first, the third has not ended."""
        program, ids, key = studio(), [uuid4() for _job in range(3)], ApiKey.objects.get()
        for number, ends in enumerate((5, 3, None)):
            FeedUpload.objects.create(
                name="feed",
                digest=bytes(32),
                size=1,
                uploaded_at=NOW + timedelta(days=number),
                finished_at=None if ends is None else NOW + timedelta(days=ends),
                delivery=ids[number],
                sender=key.handle,
            )

        listed = json_of(program.get(f"/api/v1/jobs?{query}"))["data"]

        assert [job["id"] for job in listed] == [str(ids[number]) for number in expected]
