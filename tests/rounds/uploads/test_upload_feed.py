"""Uploaded feeds: stored in pieces, ingested in batches, resumed after a stop."""

import gzip
import hashlib
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from casino.embedded.server_paths import CLONE
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.models import AuditRecord
from payouts.settlement.models import Settlement
from rounds.models import QuarantinedDocument, QueuedRound, Round, Validation
from rounds.models.upload import FeedChunk, FeedUpload
from rounds.uploads.ingest_upload import FeedIncomplete, ingest_batch, ingest_uploads
from rounds.uploads.upload_feed import (
    CHUNK_BYTES,
    FeedEmpty,
    FeedTooLarge,
    FeedUnreadable,
    upload_feed,
)
from tests.casino_in_play import NOW, open_table, open_tables
from tests.documents import baccarat_round, lines
from tests.processes import Worker, wait_until
from tests.rounds.uploads.uploaded_feeds import GIULIA, upload

_WAKE_UP = "import django; django.setup(); from payouts.tasks import wake_upload_workers as w; w()"


def ingest_all() -> int:
    """Ingests until nothing is left; returns the number of batches."""
    batches: list[None] = []
    ingest_uploads(now=lambda: NOW, after_batch=lambda: batches.append(None), is_over=lambda: False)
    return len(batches)


def feed(*documents: object) -> bytes:
    """The documents as a file."""
    return b"".join(line + b"\n" for line in lines(*documents))


@pytest.mark.django_db
class TestAFile:
    def test_is_kept_whole_with_its_digest(self) -> None:
        """In compressed pieces of a MiB; the record has the digest."""
        content = random.Random(1).randbytes(3 * CHUNK_BYTES + 17)

        stored = upload(content)

        assert (stored.size, stored.chunks.count()) == (len(content), 4)
        assert bytes(stored.digest) == hashlib.sha256(content).digest()
        record = AuditRecord.objects.get(action="FEED_UPLOADED")
        assert record.details["digest"] == hashlib.sha256(content).hexdigest()
        assert record.actor == "Giulia Marchetti"

    def test_may_have_a_long_name(self) -> None:
        """Its end is kept, with the digest, as the subject of its records."""
        stored = upload(feed("no document"), name=f"{'long ' * 50}.ndjson")
        ingest_all()

        assert stored.name.endswith("long .ndjson")
        subjects = AuditRecord.objects.filter(subject=f"feed:{stored.source}")
        assert set(subjects.values_list("action", flat=True)) == {
            "FEED_UPLOADED",
            "DOCUMENT_QUARANTINED",
            "FEED_INGESTED",
        }

    @pytest.mark.parametrize("members", [1, 3])
    def test_is_unpacked_where_it_is_gzip(self, members: int) -> None:
        """Several members are allowed; the digest is that of the feed."""
        content = feed(*(baccarat_round(f"r-{number}") for number in range(3)))
        third = len(content) // members
        parts = [content[at * third : (at + 1) * third] for at in range(members - 1)]
        packed = b"".join(map(gzip.compress, [*parts, content[(members - 1) * third :]]))

        stored = upload(packed)

        assert bytes(stored.digest) == hashlib.sha256(content).digest()

    @pytest.mark.parametrize(
        ("content", "refusal"),
        [
            (b"", FeedEmpty),
            (gzip.compress(b""), FeedEmpty),
            (b"x" * 101, FeedTooLarge),
            (gzip.compress(b"x" * 101), FeedTooLarge),
            (gzip.compress(b"x" * 90)[:-1], FeedUnreadable),
            (b"\x1f\x8bno gzip at all", FeedUnreadable),
            (gzip.compress(b"x") + b"rest", FeedUnreadable),
        ],
        ids=["empty", "empty gzip", "large", "bomb", "cut", "no gzip", "rest behind"],
    )
    def test_that_is_too_large_leaves_nothing(self, content: bytes, refusal: type) -> None:
        """Beyond the limit of unpacked bytes."""
        with pytest.raises(refusal):
            upload(content, most_bytes=100)

        assert not FeedUpload.objects.exists()
        assert not FeedChunk.objects.exists()

    def test_is_read_no_further_than_it_may_be_long(self) -> None:
        """A MiB at a time: of ten, two."""
        pieces = iter([bytes(CHUNK_BYTES // 4)] * 40)

        with pytest.raises(FeedTooLarge):
            upload_feed(
                pieces=pieces, name="night.ndjson", most_bytes=CHUNK_BYTES, at=NOW, actor=GIULIA
            )

        assert len([*pieces]) == 32


@pytest.mark.django_db
class TestItsIngest:
    def test_stores_every_document_and_lets_go_of_the_content(self) -> None:
        """The pieces are deleted afterwards."""
        open_table()
        documents = (baccarat_round("r-1"), "", "{broken", baccarat_round("r-1"))
        stored = upload(feed(*documents) + lines(baccarat_round("r-2"))[0])

        ingest_all()

        stored.refresh_from_db()
        figures = (stored.lines, stored.rounds, stored.known, stored.quarantined, stored.percent)
        assert figures == (5, 2, 1, 1, 100)
        assert (stored.offset, stored.finished_at) == (stored.size, NOW)
        assert not FeedChunk.objects.exists()
        assert QuarantinedDocument.objects.get().line == 3
        assert QuarantinedDocument.objects.get().source == stored.source
        details = AuditRecord.objects.get(action="FEED_INGESTED").details
        assert (details["rounds"], details["quarantined"]) == (2, 1)
        assert AuditRecord.objects.filter(
            action="ROUND_RECEIVED", actor="Giulia Marchetti"
        ).exists()

    def test_reads_lines_across_pieces(self) -> None:
        """Each line is read once."""
        open_table()
        long = "{" + "x" * (2 * CHUNK_BYTES)
        documents = [baccarat_round("r-1"), long, "", baccarat_round("r-2"), long, "no"]
        stored = upload(feed(*documents))

        steps = 0
        while ingest_batch(stored.pk, now=lambda: NOW):
            steps += 1

        stored.refresh_from_db()
        assert (stored.lines, stored.rounds, stored.quarantined) == (6, 2, 3)
        assert sorted(QuarantinedDocument.objects.values_list("line", flat=True)) == [2, 5, 6]

    def test_of_the_same_file_again_changes_nothing(self) -> None:
        """The source is named by its digest."""
        open_table()
        content = feed(baccarat_round("r-1"), "{broken")

        for _ in range(2):
            upload(content)
            ingest_all()

        second = FeedUpload.objects.latest("pk")
        assert (second.known, second.quarantined) == (1, 1)
        assert Round.objects.count() == QuarantinedDocument.objects.count() == 1

    def test_that_fails_keeps_its_error_and_holds_back_no_other(self) -> None:
        """The next file is ingested."""
        open_table()
        broken, sound = upload(feed("x" * (2 * CHUNK_BYTES))), upload(feed(baccarat_round("r-1")))
        FeedChunk.objects.filter(upload=broken, number__gte=0).delete()

        with pytest.raises(FeedIncomplete):
            ingest_all()

        broken.refresh_from_db()
        sound.refresh_from_db()
        assert broken.last_error.startswith("FeedIncomplete: found 0 bytes")
        assert broken.finished_at is None
        assert sound.finished_at is not None


@pytest.fixture
def feed_worker(worker: Worker, fresh_casino: str, broker: str, tmp_path: Path) -> Iterator[Worker]:
    """A worker for uploaded files, started, in addition to one that settles."""
    folder = tmp_path / "feed"
    folder.mkdir()
    environment = {"DATABASE_URL": fresh_casino, "CELERY_BROKER_URL": broker}
    running = Worker(environment=environment, folder=folder, role=DatabaseRole.FEED)
    running.start()
    yield running
    running.stop()


@pytest.mark.slow
def test_a_file_is_ingested_to_its_end_although_its_worker_is_killed(
    feed_worker: Worker, tmp_path: Path
) -> None:
    """Killed after the first batches; the next worker continues after the last batch.

    Every line has one result: a line read twice would be known.
    """
    open_tables(at=timezone.now())
    file = tmp_path / "feed.ndjson"
    call_command("simulate", rounds=3_000, out=str(file))
    stored = upload(file.read_bytes(), at=timezone.now())
    waker = subprocess.Popen([sys.executable, "-c", _WAKE_UP], cwd=CLONE)
    wait_until(lambda: _now(stored).lines > 0, what="the first batch is stored")

    feed_worker.kill()
    stopped = _now(stored)
    feed_worker.start()
    waker.wait()
    wait_until(lambda: _now(stored).finished_at is not None, what="the file is finished")

    finished, lines_of_file = _now(stored), file.read_bytes().splitlines()
    assert stopped.finished_at is None
    assert 0 < stopped.lines < finished.lines == len(lines_of_file)
    assert finished.rounds + finished.shoes == len(lines_of_file)
    assert (finished.known, finished.conflicts, finished.quarantined) == (0, 0, 0)
    wait_until(lambda: not QueuedRound.objects.exists(), what="every round is held")
    held = Validation.objects.filter(anomalies__contains=["unsigned-source"])
    assert held.values("round").distinct().count() == finished.rounds
    assert not Settlement.objects.exists()


def _now(stored: FeedUpload) -> FeedUpload:
    return FeedUpload.objects.get(pk=stored.pk)
