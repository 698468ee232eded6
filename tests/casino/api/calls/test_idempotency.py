"""A POST is executed once per Idempotency-Key (issue 8, point 5)."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.request import Request, urlopen

import pytest
from django.db import connection, transaction
from django.utils import timezone

from casino.integrations import idempotency
from casino.integrations.idempotency import KEPT_FOR, delete_old_answers
from casino.integrations.models import ApiKey, GivenAnswer
from casino.integrations.rotate_key import rotate_key
from compliance.storage.advisory_locks import lock_names
from tests.casino.api.api_client import (
    ADMINISTRATOR,
    TOKENS,
    Program,
    a_customer,
    issued,
    json_of,
    slug_of,
)
from tests.casino.api.web_server import served
from tests.query_in_thread import query_in_thread

ASK: Final = {"customer": "p-1"}


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_the_token_that_was_answered_works(tmp_path: Path) -> None:
    """The stored answer is encrypted; the replayed token still works."""
    a_customer()
    issued_key = issued()
    with served(tmp_path, processes=1) as address:
        headers = {
            "Authorization": f"Bearer {issued_key.token}",
            "Content-Type": "application/json",
        }
        requested = Request(
            f"{address}{TOKENS}", b'{"customer": "p-1"}', {**headers, "Idempotency-Key": "1"}
        )
        answers = []
        for _ in range(2):
            with urlopen(requested) as answer:
                answers.append(answer.read())

    assert answers[0] == answers[1]
    token = json.loads(answers[0])["token"]
    assert token.encode() not in bytes(GivenAnswer.objects.get().content)
    assert slug_of(Program(token).post(TOKENS, ASK)) == "scope-missing"  # it proves who calls


@pytest.mark.django_db
class TestTheSameCall:
    @pytest.fixture(autouse=True)
    def _customer(self) -> None:
        a_customer()

    def test_is_answered_word_for_word(self) -> None:
        """The replayed answer is identical and has the header Idempotent-Replayed."""
        program = Program(issued().token)
        first = program.post(TOKENS, ASK, once="a")

        again = program.post(TOKENS, ASK, once="a")

        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["Content-Type"] == first.headers["Content-Type"]
        assert again.headers["Idempotent-Replayed"] == "true"
        assert "Idempotent-Replayed" not in first.headers
        assert again.headers["Request-Id"] != first.headers["Request-Id"]
        assert ApiKey.objects.filter(customer="p-1").count() == 1

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"customer": "p-1", "minutes": 16}, TOKENS),
            (b'{"customer":  "p-1"}', TOKENS),
            (ASK, "/api/v1/webhooks"),
        ],
    )
    def test_with_another_body_is_refused(self, body: object, path: str) -> None:
        """A used Idempotency-Key with another body is answered 422."""
        program = Program(issued().token)
        program.post(TOKENS, ASK, once="a")

        answer = program.post(path, body, once="a")

        assert (answer.status_code, slug_of(answer)) == (422, "idempotency-key-reused")
        assert ApiKey.objects.filter(customer="p-1").count() == 1

    def test_of_another_key_is_another_call(self) -> None:
        """Idempotency-Keys are scoped to the API key."""
        answers = [Program(issued().token).post(TOKENS, ASK, once="a") for _ in range(2)]

        assert answers[0].content != answers[1].content

    def test_is_the_same_after_a_rotation(self) -> None:
        """Idempotency-Keys stay valid when the secret is rotated."""
        issued_key = issued()
        first = Program(issued_key.token).post(TOKENS, ASK, once="a")
        rotated = rotate_key(
            key_id=issued_key.key.pk,
            seen=1,
            overlap=timedelta(),
            at=timezone.now(),
            actor=ADMINISTRATOR,
        )

        again = Program(rotated.token).post(TOKENS, ASK, once="a")

        assert again.content == first.content

    def test_that_was_refused_may_be_sent_again(self) -> None:
        """Refusals are not stored, so that a retry can succeed."""
        program = Program(issued().token)
        refused = program.post(TOKENS, {"customer": "p-2"}, once="a")
        a_customer("p-2")

        accepted = program.post(TOKENS, {"customer": "p-2"}, once="a")

        assert (refused.status_code, accepted.status_code) == (422, 201)

    def test_is_stored_for_thirty_days(self) -> None:
        """Older answers are deleted."""
        Program(issued().token).post(TOKENS, ASK, once="a")
        given = GivenAnswer.objects.get().given_at

        forgotten = [delete_old_answers(at=given + KEPT_FOR + wait) for wait in (-_SECOND, _SECOND)]

        assert timedelta(days=30) == KEPT_FOR
        assert forgotten == [0, 1]


_SECOND: Final = timedelta(seconds=1)


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_a_duplicate_that_waits_too_long_gets_a_conflict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call that waits for its duplicate is answered 409 with Retry-After."""
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 1)
    a_customer()
    issued_key = issued()
    program = Program(issued_key.token)
    with transaction.atomic():
        lock_names([f"idempotency:{issued_key.key.pk}:a"])  # as the twin does

        answer = query_in_thread(lambda: program.post(TOKENS, ASK, once="a"))

    assert (answer.status_code, slug_of(answer)) == (409, "still-carried-out")
    assert answer.headers["Retry-After"] == "1"
    assert json_of(answer)["errors"] == []
    assert not ApiKey.objects.filter(customer="p-1").exists()
    assert program.post(TOKENS, ASK, once="a").status_code == 201
    connection.close()
