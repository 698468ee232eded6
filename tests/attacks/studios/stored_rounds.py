"""Rounds that a web host stores, and what workers make of them."""

import hashlib

from django.db import transaction

from compliance.signatures.assertions import octets_of
from payouts.settlement.models import Settlement
from rounds.models import (
    SignedBatch,
    StudioKey,
    Validation,
)
from rounds.signatures.signature import Signature
from rounds.signatures.store_signature import restored_signature
from tests.attacks.forgeries import as_web
from tests.casino_in_play import NOW, Unchecked, ingest, settle
from tests.studio_signatures import Signer, ingest_signed


def store(feed: bytes, signature: Signature | None = None) -> None:
    """Rows of rounds that are not held, as the web role can write them."""
    with as_web():
        ingest(feed.splitlines(), arrival=Unchecked(NOW, signature=signature))


def assert_held(*references: str) -> None:
    """Asserts that the worker holds exactly these rounds, and pays nothing for them."""
    settle()
    held = Validation.objects.filter(status="held", anomalies=["unsigned-source"])
    found = held.order_by("round__reference").values_list("round__reference", flat=True)
    assert list(found) == list(references)
    paid = Settlement.objects.filter(round__reference__in=references)
    assert not paid.exists()


def signed_and_withdrawn(feed: bytes) -> Signature:
    """What the studio really signed, kept by a host that did not store the rounds."""
    with transaction.atomic():
        ingest_signed(feed, Signer().signature_lines(feed))
        stored = SignedBatch.objects.get()
        content = feed
        signature = restored_signature(stored, at=NOW)
        assert signature is not None
        transaction.set_rollback(True)
    return signature._replace(content=lambda: [content])


def signature_by(key: StudioKey, feed: bytes) -> Signature:
    """What the holder of the key signs, whether or not it counts."""
    [line] = Signer().signature_lines(feed)
    text, _, made = line.decode().rpartition(".")
    digest = hashlib.sha256(feed).digest()
    signed = octets_of(made)
    return Signature(key, SignedBatch.Form.LINES, text.encode(), signed, digest, lambda: [feed])
