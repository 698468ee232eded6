"""Every call is recorded in the audit trail (issue 8, point 1)."""

import pytest
from django.db import transaction

from casino.api import views
from casino.integrations.models import ApiKey, GivenAnswer
from tests.casino.api.api_client import HERE, TOKENS, Program, issued, json_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("customer")]

ASK = {"customer": "p-1"}


class TestACall:
    def test_that_changes_something_is_recorded(self) -> None:
        """The record has the caller, the address, the outcome and the effect."""
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

    def test_that_is_replayed_is_recorded_again(self) -> None:
        """The second record is marked as replayed."""
        program = Program(issued().token)
        for _ in range(2):
            program.post(TOKENS, ASK, once="a")

        assert [details["replayed"] for _, _, details in audit_records("API_CALLED")] == [
            False,
            True,
        ]

    def test_that_is_refused_is_recorded(self) -> None:
        """The record has the kind of problem."""
        Program(issued().token).post(TOKENS, {"customer": "p-9"})
        Program(issued(scopes=["rounds:read"]).token).post(TOKENS, ASK)

        ends = [
            (details["status"], details["problem"]) for _, _, details in audit_records("API_CALLED")
        ]
        assert ends == [(422, "refused"), (403, "scope-missing")]

    def test_with_an_invalid_token_is_recorded(self) -> None:
        """The record names the key, never the token."""
        issued_key = issued(networks=["198.51.100.7"])
        Program(issued_key.token).post(TOKENS, ASK)
        Program("nope").post(TOKENS, ASK)

        first, second = audit_records("API_REFUSED")
        assert first[1:2] == (f"key:{issued_key.key.handle}",)
        assert first[2]["problem"] == "address-not-allowed"
        assert second[1] == "key:-"
        assert issued_key.token not in str(first)

    def test_without_a_token_is_not_recorded(self) -> None:
        """Anonymous calls cannot fill the audit trail."""
        Program("").post(TOKENS, ASK)
        Program("").get("/api/v1")

        assert audit_records("API_CALLED") == audit_records("API_REFUSED") == []

    def test_that_cannot_be_recorded_is_rolled_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Effect, audit record and stored answer are one transaction."""

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
