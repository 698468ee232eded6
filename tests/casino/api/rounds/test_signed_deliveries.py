"""Signed deliveries (contract, detail 47): RFC 9421 with a Content-Digest by RFC 9530."""

import gzip
import hashlib

import pytest
from django.utils import timezone

from compliance.trail.models import AuditRecord
from rounds.models import Round, SignedBatch
from rounds.signatures.store_signature import stored_content
from rounds.uploads.ingest_upload import ingest_uploads
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.rounds.signed_requests import HELD, anomalies, document, send
from tests.casino.api.studio import NDJSON, ROUNDS, answers, studio, whole
from tests.casino_in_play import open_table
from tests.documents import baccarat_round, lines
from tests.studio_signatures import Signer, require_signatures_at

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


class TestATableThatRequiresSignatures:
    def test_takes_a_signed_round(self) -> None:
        """It is stored with the signature, the text under it and the bytes that it covers."""
        require_signatures_at()
        key = Signer().registered()
        body = document()

        answer = send(body, Signer().headers(body))

        row = Round.objects.select_related("signed_batch").get()
        assert (answer.status_code, row.arrival_anomalies) == (201, [])
        assert row.signed_batch is not None
        assert row.signed_batch.key == key
        assert stored_content(row.signed_batch) == body
        assert bytes(row.signed_batch.content_digest) == hashlib.sha256(body).digest()
        record = AuditRecord.objects.get(action="ROUND_RECEIVED")
        assert record.details["signed"] == {"batch": row.signed_batch.pk, "key": key.key_id}

    def test_holds_an_unsigned_round(self) -> None:
        """It is taken, never lost."""
        require_signatures_at()

        first, again = (send(document(), {}) for _ in range(2))

        assert (first.status_code, again.status_code, anomalies()) == (201, 200, {"r-1": HELD})
        assert [json_of(answer)["anomalies"] for answer in (first, again)] == [HELD, HELD]

    def test_holds_no_round_of_before(self) -> None:
        """The setting applies to rounds that arrive later."""
        send(document(), {})

        require_signatures_at()

        assert anomalies() == {"r-1": []}

    def test_takes_a_repeated_delivery_as_known(self) -> None:
        """A replay is harmless: it stores neither a round nor a signature again."""
        require_signatures_at()
        Signer().registered()
        body = document()
        headers = Signer().headers(body)

        first, again = send(body, headers), send(body, headers)

        assert (first.status_code, again.status_code) == (201, 200)
        assert (Round.objects.count(), SignedBatch.objects.count()) == (1, 1)


class TestATableThatAllowsUnsignedRounds:
    def test_takes_them_as_before(self) -> None:
        """The contract stays valid for studios that do not sign."""
        send(document(), {})

        assert anomalies() == {"r-1": []}
        assert not SignedBatch.objects.exists()

    def test_stores_the_signature_of_signed_ones(self) -> None:
        """A studio may sign before its tables require it."""
        Signer().registered()
        body = document()

        send(body, Signer().headers(body))

        assert Round.objects.get().signed_batch is not None


class TestASignedStream:
    def test_is_verified_before_anything_is_stored(self) -> None:
        """One signature over the body covers all of its rounds."""
        require_signatures_at()
        Signer().registered()
        body = b"\n".join(lines(baccarat_round("r-1"), baccarat_round("r-2")))

        answer = send(body, Signer().headers(body, content_type=NDJSON), media=NDJSON)

        assert [result["verdict"] for result in answers(answer)] == ["accepted", "accepted"]
        assert anomalies() == {"r-1": [], "r-2": []}
        assert stored_content(SignedBatch.objects.get()) == body

    def test_that_was_cut_stores_nothing(self) -> None:
        """Its digest is that of the whole body."""
        Signer().registered()
        body = b"\n".join(lines(baccarat_round("r-1"), baccarat_round("r-2")))
        headers = Signer().headers(body, content_type=NDJSON)

        answer = send(body[: body.index(b"\n") + 1], headers, media=NDJSON)

        assert (answer.status_code, slug_of(answer)) == (400, "signature-invalid")
        assert json_of(answer)["errors"][0]["field"] == "header:Content-Digest"
        assert not Round.objects.exists()

    def test_may_have_rounds_of_a_table_of_no_key(self) -> None:
        """A key signs for its own tables alone; the rest is unsigned."""
        open_table("bac-2")
        require_signatures_at("bac-1")
        require_signatures_at("bac-2")
        Signer().registered("bac-1")
        body = b"\n".join(lines(baccarat_round("r-1"), baccarat_round("r-2", table="bac-2")))

        answer = send(body, Signer().headers(body, content_type=NDJSON), media=NDJSON)

        assert [line["anomalies"] for line in answers(answer)] == [[], HELD]
        assert anomalies() == {"r-1": [], "r-2": HELD}
        assert list(
            Round.objects.filter(signed_batch=None).values_list("reference", flat=True)
        ) == ["r-2"]


class TestASignedJob:
    @pytest.mark.parametrize("packed", [False, True])
    def test_is_signed_when_workers_ingest_it(self, *, packed: bool) -> None:
        """The digest is that of the body as sent, so of the gzip file."""
        require_signatures_at()
        Signer().registered()
        content = b"\n".join(lines(baccarat_round("r-1"), baccarat_round("r-2")))
        body = gzip.compress(content) if packed else content
        headers = Signer().headers(body, content_type=NDJSON)

        answer = send(body, {**headers, "Prefer": "respond-async"}, media=NDJSON)
        ingest_uploads(now=timezone.now, after_batch=lambda: None, is_over=lambda: False)

        assert answer.status_code == 202
        assert anomalies() == {"r-1": [], "r-2": []}
        assert stored_content(SignedBatch.objects.get()) == body

    def test_names_the_unsigned_rounds_in_its_results(self) -> None:
        """As the answer to a document does."""
        require_signatures_at()
        program = studio()
        body = b"\n".join(lines(baccarat_round("r-1")))

        job = program.call("POST", ROUNDS, body, Content_Type=NDJSON, Prefer="respond-async")
        ingest_uploads(now=timezone.now, after_batch=lambda: None, is_over=lambda: False)
        results = program.get(json_of(job)["links"]["results"])

        assert [line["anomalies"] for line in answers(whole(results))] == [HELD]
