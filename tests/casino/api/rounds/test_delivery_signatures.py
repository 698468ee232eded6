"""Which signatures of a request count, and which are refused."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from rounds.models import Round, SignedChunk
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.rounds.signed_requests import HELD, anomalies, document, send
from tests.studio_signatures import Signer, require_signatures_at, soon

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


class TestAWrongSignature:
    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"Signature": ""}, "header:Signature"),
            ({"Signature": "sig=:AAAA:"}, "header:Signature"),
            ({"Signature": "other=:AAAA:"}, "header:Signature"),
            ({"Signature_Input": "sig=()"}, "header:Signature-Input"),
            ({"Signature_Input": 'sig=("@method"  "@path")'}, "header:Signature-Input"),
            ({"Content_Digest": ""}, "header:Signature-Input"),
            ({"Content_Digest": "md5=:AAAA:"}, "header:Signature"),
        ],
    )
    def test_is_refused_with_its_field(self, change: dict[str, str], field: str) -> None:
        """Field, value found and value needed; nothing is stored."""
        Signer().registered()
        body = document()
        headers = {**Signer().headers(body), **change}

        answer = send(body, {name: text for name, text in headers.items() if text})

        assert (answer.status_code, slug_of(answer)) == (400, "signature-invalid")
        [error] = json_of(answer)["errors"]
        assert error["field"] == field
        assert error["needed"]
        assert not Round.objects.exists()
        assert not SignedChunk.objects.exists()

    @pytest.mark.parametrize("missing", ["@method", "@path", "content-type", "content-digest"])
    def test_must_cover_what_matters(self, missing: str) -> None:
        """A part that is not covered could be changed under way."""
        Signer().registered()
        body = document()
        covered = [
            name
            for name in ("@method", "@path", "content-type", "content-digest")
            if name != missing
        ]

        answer = send(body, Signer().headers(body, covered=covered))

        assert slug_of(answer) == "signature-invalid"
        assert f'"{missing}"' in json_of(answer)["errors"][0]["needed"]

    @pytest.mark.parametrize("seconds", [-301, 360])  # a slow machine takes some
    def test_is_one_of_another_time(self, seconds: int) -> None:
        """`created` lies within MAX_CLOCK_SKEW_SECONDS of our clock."""
        Signer().registered()
        body = document()

        answer = send(body, Signer().headers(body, created=int(time.time()) + seconds))

        assert slug_of(answer) == "signature-invalid"
        assert "created=" in json_of(answer)["errors"][0]["found"]

    def test_is_one_of_a_key_that_nobody_registered(self) -> None:
        """A body that nobody can verify is not stored as if it were merely unsigned."""
        body = document()

        answer = send(body, Signer().headers(body))

        assert json_of(answer)["errors"][0]["found"] == Signer().key_id
        assert not Round.objects.exists()

    def test_may_be_of_another_algorithm(self) -> None:
        """Ed25519 alone; an alg that contradicts the key is an error (RFC 9421, 3.2)."""
        Signer().registered()
        body = document()

        answer = send(body, Signer().headers(body, parameters=';alg="hmac-sha256"'))

        assert json_of(answer)["errors"][0]["found"] == "hmac-sha256"

    def test_may_have_expired(self) -> None:
        """The sender may shorten the window."""
        Signer().registered()
        body = document()
        parameters = f";expires={int(time.time()) - 1}"

        answer = send(body, Signer().headers(body, parameters=parameters))

        assert "expires=" in json_of(answer)["errors"][0]["found"]


class TestARightSignature:
    @pytest.mark.parametrize("digest", ["sha-256", "sha-512"])
    def test_may_use_either_digest(self, digest: str) -> None:
        """Both are active in RFC 9530."""
        require_signatures_at()
        Signer().registered()
        body = document()

        send(body, Signer().headers(body, digest=digest))

        assert anomalies() == {"r-1": []}

    def test_may_cover_more(self) -> None:
        """A host as well, so that it is good for one installation alone."""
        require_signatures_at()
        Signer().registered()
        body = document()
        covered = ("@method", "@authority", "@path", "content-type", "content-digest")

        send(body, Signer().headers(body, covered=covered, parameters=';alg="ed25519";tag="x"'))

        assert anomalies() == {"r-1": []}

    def test_of_a_key_that_awaits_approval_proves_nothing(self) -> None:
        """The round is taken and held (contract, detail 47)."""
        require_signatures_at()
        Signer().proposed()
        body = document()

        answer = send(body, Signer().headers(body))

        assert (answer.status_code, anomalies()) == (201, {"r-1": HELD})

    @pytest.mark.parametrize(
        ("valid_from", "valid_until"), [(soon(1), soon(2)), (soon(-300), soon(-299))]
    )
    def test_outside_the_validity_of_its_key_proves_nothing(
        self, valid_from: datetime, valid_until: datetime
    ) -> None:
        """Taken and held, before as after."""
        require_signatures_at()
        before = min(valid_from, datetime.now(UTC)) - timedelta(days=1)
        Signer().registered(valid_from=valid_from, valid_until=valid_until, at=before)
        body = document()

        answer = send(body, Signer().headers(body))

        assert (answer.status_code, anomalies()) == (201, {"r-1": HELD})
