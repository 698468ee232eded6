"""Attacks by SQL on stored signatures of studios: each is named by the verifier."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from rounds.models import SignedBatch
from tests.attacks.studios.signed_feeds import A, B, faults, without_triggers
from tests.casino_in_play import ingest
from tests.studio_signatures import (
    Signer,
    ingest_signed,
)

pytestmark = pytest.mark.django_db


_REVOKED_BEFORE = """
    INSERT INTO rounds_studiokeystep
           (key_id, sequence, action, note, last_batch, at, actor, actor_user_id)
    SELECT id, 2, 'revoked', 'x', 0, now(), 'x', 1 FROM rounds_studiokey
"""


@pytest.mark.usefixtures("table")
class TestRowsOfSql:
    """Somebody writes to the database, with triggers or without."""

    @pytest.fixture
    def signed(self) -> SignedBatch:
        """A batch of two rounds."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        return SignedBatch.objects.get()

    def test_an_invented_round_marked_as_signed_is_named(self, signed: SignedBatch) -> None:
        """The signed bytes do not contain it."""
        ingest(B.splitlines())

        without_triggers(
            "UPDATE rounds_round SET arrival_anomalies = '{}', signed_batch_id = %s"
            " WHERE reference = 'r-b1'",
            [signed.pk],
        )

        assert faults() == [
            f"round r-b1: signed batch {signed} does not contain it as it is stored"
        ]

    def test_an_unsigned_round_that_is_not_held_is_named(self, signed: SignedBatch) -> None:
        """It arrived while its table required signatures."""
        ingest(B.splitlines())

        without_triggers(
            "UPDATE rounds_round SET arrival_anomalies = '{}' WHERE reference = 'r-b1'"
        )

        assert faults() == [
            "round r-b1: table bac-1 requires signatures; it is neither signed nor held"
        ]

    def test_other_facts_of_a_signed_round_are_named(self, signed: SignedBatch) -> None:
        """With the digest that belongs to them."""
        without_triggers(
            "UPDATE rounds_round SET digest = %s WHERE reference = 'r-a1'", [bytes(32)]
        )

        assert faults() == [
            f"round r-a1: signed batch {signed} does not contain it as it is stored"
        ]

    def test_a_round_without_its_batch_is_named(self, signed: SignedBatch) -> None:
        """A reference to nothing."""
        without_triggers("UPDATE rounds_round SET signed_batch_id = 999 WHERE reference = 'r-a1'")

        assert faults() == ["round r-a1: there is no signed batch S-999"]

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE rounds_signedbatch SET signature = decode(repeat('00', 64), 'hex')",
            "UPDATE rounds_signedbatch SET signed_text = signed_text || 'x'::bytea",
            "UPDATE rounds_signedbatch SET content_digest = sha256('x')",
            "UPDATE rounds_signedbatch SET form = 'http'",
            "UPDATE rounds_signedbatch SET received_at = received_at - interval '1 year'",
            "UPDATE rounds_signedbatch SET received_at = received_at + interval '9 years'",
            "UPDATE rounds_signedchunk SET content = 'x'::bytea",
            "UPDATE rounds_signedchunk SET number = 1",
            "DELETE FROM rounds_signedchunk",
            "INSERT INTO rounds_signedchunk SELECT 999, number, content FROM rounds_signedchunk",
            "UPDATE rounds_signedbatch SET key_id = 999",
            "UPDATE rounds_studiokey SET public_key = sha256('x')",
            "UPDATE rounds_studiokey SET tables = '{bac-2}'",
            "UPDATE rounds_studiokey SET valid_from = '2027-01-01'",
            "DELETE FROM rounds_studiokeystep",
            _REVOKED_BEFORE,
        ],
    )
    def test_any_change_of_what_was_signed_is_named(self, signed: SignedBatch, change: str) -> None:
        """Signature, text, bytes, key, approval."""
        without_triggers(change)

        assert faults()

    def test_an_invented_key_needs_two_persons(self) -> None:
        """A key of one's own signs an invented round; its approval is missing."""
        key = Signer(3).proposed()
        [line] = Signer(3).signature_lines(A)
        head, payload, _ = line.split(b".")
        signature = Signer(3).private.sign(head + b"." + payload)
        with pytest.raises(IntegrityError, match="not approved"), transaction.atomic():
            SignedBatch.objects.create(
                key=key,
                form="lines",
                signed_text=head + b"." + payload,
                signature=signature,
                content_digest=b"",
                source="x",
                received_at=datetime.now(UTC),
            )
