"""Attacks on files of signed lines: each is held, refused, or named by the verifier."""

import base64
import json
from typing import Any

import pytest

from rounds.models import Round, SignedBatch
from tests.attacks.studios.signed_feeds import A, B, C, batch, faults, held
from tests.casino_in_play import open_table
from tests.studio_signatures import (
    Signer,
    ingest_signed,
    require_signatures_at,
)

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("table")
class TestAFile:
    def test_that_is_signed_throughout_is_taken(self) -> None:
        """The control: nothing is held and nothing is named."""
        Signer().registered()

        ingest_signed(A + B + C, Signer().signature_lines(A, B, C))

        assert (held(), faults(), SignedBatch.objects.count()) == ([], [], 3)

    def test_with_a_changed_line_is_signed_up_to_its_batch(self) -> None:
        """A stake is raised in the second batch."""
        Signer().registered()
        changed = B.replace(b'"stake": "10.00"', b'"stake": "90.00"', 1)

        ingest_signed(A + changed + C, Signer().signature_lines(A, B, C))

        assert held() == ["r-b1", "r-b2", "r-c1", "r-c2"]

    @pytest.mark.parametrize(("order", "unsigned"), [([1, 0, 2], 6), ([0, 2, 1], 4)])
    def test_with_swapped_batches_is_signed_up_to_them(
        self, order: list[int], unsigned: int
    ) -> None:
        """Lines and signatures are swapped alike; the numbers and the chain are signed."""
        Signer().registered()
        contents, signed = [A, B, C], Signer().signature_lines(A, B, C)

        ingest_signed(
            b"".join(contents[place] for place in order), [signed[place] for place in order]
        )

        assert len(held()) == unsigned

    def test_without_its_middle_batch_is_signed_up_to_there(self) -> None:
        """The next signature names the digest of the one that is missing."""
        Signer().registered()
        first, _, last = Signer().signature_lines(A, B, C)

        ingest_signed(A + C, [first, last])

        assert held() == ["r-c1", "r-c2"]

    def test_with_a_batch_of_another_chain_is_signed_up_to_it(self) -> None:
        """It has the right number, and another past."""
        Signer().registered()
        other = Signer().signature_lines(C, B)

        ingest_signed(A + B, [Signer().signature_lines(A)[0], other[1]])

        assert held() == ["r-b1", "r-b2"]

    def test_that_was_cut_is_signed_up_to_its_last_complete_batch(self) -> None:
        """In the middle of a batch; and behind the signatures."""
        Signer().registered()
        half = B[: B.index(b"\n") + 1]

        ingest_signed(A + half, Signer().signature_lines(A, B))
        ingest_signed(A + B + C, Signer().signature_lines(A))

        assert held() == ["r-b1", "r-b2", "r-c1", "r-c2"]

    def test_cannot_be_replayed_under_another_table(self) -> None:
        """The table is in the signed bytes; the key signs for its own tables alone."""
        open_table("bac-2")
        require_signatures_at("bac-2")
        Signer().registered("bac-1")
        signed = Signer().signature_lines(A)
        other = batch("r-x1", table="bac-2")

        ingest_signed(A.replace(b"bac-1", b"bac-2"), signed)
        ingest_signed(other, Signer().signature_lines(other))

        assert held() == ["r-a1", "r-a2", "r-x1"]

    def test_replayed_as_it_was_changes_nothing(self) -> None:
        """Ingestion is idempotent."""
        Signer().registered()

        for _ in range(2):
            ingest_signed(A, Signer().signature_lines(A))

        assert (Round.objects.count(), SignedBatch.objects.count()) == (2, 1)

    @pytest.mark.parametrize(
        ("change", "header"),
        [
            ({"lines": 1}, {}),
            ({"lines": True}, {}),
            ({"sha256": "0" * 64}, {}),
            ({"number": 2}, {}),
            ({"previous": "0" * 64}, {}),
            ({"created": "2999-01-01T00:00:00Z"}, {}),
            ({"created": None}, {}),
            ({"feed": "batch/2"}, {}),
            ({"extra": 1}, {}),
            ({}, {"alg": "none"}),
            ({}, {"crit": ["b64"], "b64": False}),
            ({}, {"kid": "unknown"}),
            ({}, {"kid": "nul\0"}),  # PostgreSQL stores neither, and so finds neither
            ({}, {"kid": "\ud800"}),
        ],
    )
    def test_with_signatures_of_something_else_is_unsigned(
        self, change: dict[str, Any], header: dict[str, Any]
    ) -> None:
        """Rightly signed by the key, and not the signature of these lines."""
        Signer().registered()
        [signed] = Signer().signature_lines(A)
        payload = {
            **json.loads(_decoded(signed.split(b".")[1])),
            **change,
        }

        ingest_signed(A, [Signer().web_signature(payload, **header)])

        assert held() == ["r-a1", "r-a2"]

    @pytest.mark.parametrize("text", [b"x", b"a.b.c", b"..", b"\xff.\xff.\xff", b"{}"])
    def test_with_signatures_that_are_none_is_unsigned(self, text: bytes) -> None:
        """It is taken all the same."""
        Signer().registered()

        ingest_signed(A, [text])

        assert held() == ["r-a1", "r-a2"]

    def test_signed_by_another_key_in_the_name_of_this_one_is_unsigned(self) -> None:
        """The signature is verified with the registered public key."""
        Signer(1).registered()
        thief = Signer(2)
        thief.key_id = Signer(1).key_id

        ingest_signed(A, thief.signature_lines(A))

        assert held() == ["r-a1", "r-a2"]


def _decoded(part: bytes) -> bytes:
    return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))
