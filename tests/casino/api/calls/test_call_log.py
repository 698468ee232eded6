"""Every call is recorded in the audit trail (issue 8, point 1)."""

import pytest
from django.db import transaction

from casino.api import views
from casino.integrations.models import ApiKey, GivenAnswer
from tests.casino.api.calling import HERE, TOKENS, Program, issued, json_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("customer")]

ASK = {"customer": "p-1"}


class TestACall:
    def test_that_changes_something_is_on_record_with_it(self) -> None:
        """Who called what from where, how it ended, and what it did."""
        issued_key = issued()
        answer = Program(issued_key.token).post(TOKENS, ASK)

        [(actor, subject, details)] = audit_records("API_CALLED")
        assert (actor, subject) == (
            f"Live Studio (key {issued_key.key.handle})",
            f"key:{issued_key.key.handle}",
        )
        assert details["call"] == answer.headers["Request-Id"]
        requested = (details["method"], details["path"], details["status"], details["address"])
        assert requested == ("POST", TOKENS, 201, HERE)
        assert len(details["asked"]) == 64
        (issuer, customer_key, token_details) = audit_records("API_KEY_ISSUED")[-1]
        assert issuer == actor
        assert customer_key != subject
        assert token_details["customer"] == "p-1"

    def test_that_is_answered_again_is_on_record_again(self) -> None:
        """As what it was."""
        program = Program(issued().token)
        for _ in range(2):
            program.post(TOKENS, ASK, once="a")

        assert [details["replayed"] for _, _, details in audit_records("API_CALLED")] == [
            False,
            True,
        ]

    def test_that_is_refused_is_on_record_with_the_problem(self) -> None:
        """A customer nobody knows, a scope that is missing."""
        Program(issued().token).post(TOKENS, {"customer": "p-9"})
        Program(issued(scopes=["rounds:read"]).token).post(TOKENS, ASK)

        ends = [
            (details["status"], details["problem"]) for _, _, details in audit_records("API_CALLED")
        ]
        assert ends == [(422, "refused"), (403, "scope-missing")]

    def test_with_a_token_that_is_no_good_is_on_record_too(self) -> None:
        """Under the key that it names; the token itself is not."""
        issued_key = issued(networks=["198.51.100.7"])
        Program(issued_key.token).post(TOKENS, ASK)
        Program("nope").post(TOKENS, ASK)

        first, second = audit_records("API_REFUSED")
        assert first[1:2] == (f"key:{issued_key.key.handle}",)
        assert first[2]["problem"] == "address-not-allowed"
        assert second[1] == "key:-"
        assert issued_key.token not in str(first)

    def test_without_a_token_leaves_nothing(self) -> None:
        """Anybody could fill the trail with those."""
        Program("").post(TOKENS, ASK)
        Program("").get("/api/v1")

        assert audit_records("API_CALLED") == audit_records("API_REFUSED") == []

    def test_that_cannot_be_put_on_record_changes_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Effect, record and kept answer are one transaction."""

        def fail(*_arguments: object, **_named: object) -> None:
            raise RuntimeError

        program = Program(issued().token)
        with monkeypatch.context() as broken, transaction.atomic():
            broken.setattr(views, "store_answer", fail)
            answer = program.post(TOKENS, ASK)

        assert json_of(answer)["status"] == 500
        assert not ApiKey.objects.filter(customer="p-1").exists()
        assert not GivenAnswer.objects.exists()
        ends = [details["problem"] for _, _, details in audit_records("API_CALLED")]
        assert ends == ["failed"]
