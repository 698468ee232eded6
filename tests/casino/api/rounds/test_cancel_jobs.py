"""Jobs are listed by their key, and cancelled (issue 21)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from compliance.trail.models import AuditRecord
from rounds.models import Round
from rounds.models.upload import FeedChunk, FeedUpload
from rounds.uploads.finish_upload import cancel_upload
from rounds.uploads.ingest_upload import ingest_batch, ingest_uploads
from tests.casino.api.api_client import ADMINISTRATOR, Program, json_of, slug_of
from tests.casino.api.rounds.test_jobs import begun, done, feed
from tests.casino.api.studio import answers, studio, whole
from tests.casino_in_play import by_now, open_table
from tests.documents import baccarat_round

JOBS = "/api/v1/jobs"


def job_of_rounds(program: Program, rounds: int) -> Any:
    """A job of so many rounds, which no worker has read yet."""
    return json_of(begun(program, feed(*(baccarat_round(f"r-{n}") for n in range(rounds)))))


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
class TestTheList:
    def test_has_the_jobs_of_the_key_newest_first(self) -> None:
        """In pages, without those of other keys."""
        program = studio()
        jobs = [json_of(begun(program, feed(baccarat_round(f"r-{n}"))))["id"] for n in range(3)]
        begun(studio(), feed(baccarat_round("r-9")))

        first = json_of(program.get(f"{JOBS}?limit=2"))
        second = json_of(program.get(f"{JOBS}?limit=2&cursor={first['next']}"))

        listed = [job["id"] for page in (first, second) for job in page["data"]]
        assert listed == jobs[::-1]
        assert second["next"] is None


@pytest.mark.django_db
@pytest.mark.usefixtures("table")
class TestACancelledJob:
    def test_keeps_what_is_stored_and_reads_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One batch of two rounds is stored; the other two rounds are never read."""
        monkeypatch.setattr("rounds.documents.BATCH_DOCUMENTS", 2)
        program = studio()
        job = job_of_rounds(program, 4)
        ingest_batch(FeedUpload.objects.get().pk, now=by_now)

        answer = program.call("DELETE", job["links"]["self"])
        ingest_uploads(now=by_now, after_batch=lambda: None, is_over=lambda: False)

        cancelled = json_of(answer)
        assert (answer.status_code, cancelled["status"], cancelled["lines"]) == (
            200,
            "cancelled",
            2,
        )
        assert cancelled["percent"] < 100
        assert json_of(program.get(job["links"]["self"])) == cancelled
        assert len(answers(whole(program.get(job["links"]["results"])))) == 2
        assert sorted(Round.objects.values_list("reference", flat=True)) == ["r-0", "r-1"]
        assert not FeedChunk.objects.exists()

    def test_is_on_record_once(self) -> None:
        """Who cancelled it, and how far it was; again changes nothing."""
        program = studio(owner="Live Studio")
        address = job_of_rounds(program, 1)["links"]["self"]

        first, again = (program.call("DELETE", address) for _ in range(2))

        record = AuditRecord.objects.get(action="FEED_CANCELLED")
        assert json_of(first) == json_of(again)
        assert record.actor.startswith("Live Studio (key ")
        assert record.details["lines"] == 0

    def test_must_not_be_finished(self) -> None:
        """409; nothing is left to cancel."""
        program = studio()
        begun_job = begun(program, feed(baccarat_round("r-1")))
        job, _results = done(program, begun_job)

        answer = program.call("DELETE", job["links"]["self"])

        assert (answer.status_code, slug_of(answer)) == (409, "job-finished")
        assert json_of(program.get(job["links"]["self"]))["status"] == "finished"

    def test_must_be_of_the_key(self) -> None:
        """Other keys get 404, and it is read on."""
        job = job_of_rounds(studio(), 1)

        answer = studio().call("DELETE", job["links"]["self"])

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        assert not FeedUpload.objects.get().is_cancelled


@pytest.mark.usefixtures("fresh_casino")
def test_a_job_is_cancelled_between_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers read while it is cancelled: each line that counts has its round and its result."""
    monkeypatch.setattr("rounds.documents.BATCH_DOCUMENTS", 2)
    open_table()
    program = studio()
    job = job_of_rounds(program, 200)
    upload = FeedUpload.objects.get()

    def read() -> None:
        while ingest_batch(upload.pk, now=by_now):
            pass
        connection.close()

    def cancel() -> None:
        while not FeedUpload.objects.get().lines:
            pass
        cancel_upload(upload_id=upload.pk, at=by_now(), actor=ADMINISTRATOR)
        connection.close()

    with ThreadPoolExecutor(3) as threads:
        running = [threads.submit(work) for work in (read, cancel, read)]
        for thread in running:
            thread.result()

    upload.refresh_from_db()
    results = answers(whole(program.get(job["links"]["results"])))
    assert upload.is_cancelled
    assert 0 < upload.lines < 200
    assert len(results) == upload.rounds == Round.objects.count() == upload.lines
    assert not FeedChunk.objects.exists()
