"""Uploads with the studio's file of signatures."""

from collections.abc import Sequence

import pytest

from rounds.models import Round, SignedBatch
from rounds.models.upload import FeedUpload
from rounds.uploads.ingest_upload import ingest_batch
from rounds.uploads.upload_feed import upload_feed
from tests.casino_in_play import NOW, open_table
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import GIULIA
from tests.studio_signatures import Signer

pytestmark = pytest.mark.django_db

HELD = ["unsigned-source"]


def batch(*references: str) -> bytes:
    """Lines of a feed."""
    return b"".join(line + b"\n" for line in lines(*map(baccarat_round, references)))


A, B, C = batch("r-1", "r-2"), batch("r-3"), batch("r-4")


@pytest.fixture(autouse=True)
def _table() -> None:
    open_table()
    Signer().registered()


def ingested(content: bytes, signatures: Sequence[bytes]) -> FeedUpload:
    """The upload after its last batch; each batch is read by a new worker."""
    stored = upload_feed(
        pieces=[content],
        name="night.ndjson",
        most_bytes=1_000_000,
        at=NOW,
        actor=GIULIA,
        signatures=b"\n".join(signatures) + b"\n",
    )
    while ingest_batch(stored.pk, now=lambda: NOW):
        pass
    stored.refresh_from_db()
    return stored


def anomalies() -> dict[str, list[str]]:
    """The anomalies on arrival of every round."""
    return dict(Round.objects.values_list("reference", "arrival_anomalies"))


def test_with_signatures_throughout_holds_nothing() -> None:
    """The studio vouches for them, not the person."""
    upload = ingested(A + B + C, Signer().signature_lines(A, B, C))

    assert anomalies() == {"r-1": [], "r-2": [], "r-3": [], "r-4": []}
    assert (upload.signed_batches, upload.signature_fault, upload.rounds) == (3, "", 4)
    assert SignedBatch.objects.count() == 3


def test_with_a_changed_line_holds_it_and_the_rest() -> None:
    """The page says why."""
    changed = B.replace(b"10.00", b"90.00", 1)

    upload = ingested(A + changed + C, Signer().signature_lines(A, B, C))

    assert anomalies() == {"r-1": [], "r-2": [], "r-3": HELD, "r-4": HELD}
    assert upload.signed_batches == 1
    assert upload.signature_fault.startswith("signature 2: lines: found 1 lines with SHA-256")


def test_without_signatures_holds_every_round() -> None:
    """At a table that allows unsigned rounds as well: a person brought them."""
    upload = ingested(A, [])

    assert anomalies() == {"r-1": HELD, "r-2": HELD}
    assert (upload.signed_batches, upload.signature_fault) == (0, "")
