"""What an event says, and that nobody can write a record that has none."""

import json
from datetime import UTC, datetime

import pytest

from compliance.siem.event import LONGEST, encoded_event, event_of
from tests.compliance.siem.test_mapping import record_of, require_valid

_DEEP = json.loads("[" * 900 + "]" * 900)


class TestAnEvent:
    def test_of_a_failed_login(self) -> None:
        """Numbers and names by schema.ocsf.io/1.5.0/classes/authentication."""
        details = {"reason": "wrong_password", "account": "anna", "address": "192.0.2.7"}
        record = record_of("LOGIN_FAILED", details, subject="user:12")

        event = event_of(record._replace(actor="not logged in", actor_user_id=None))

        assert event == {
            "category_uid": 3,
            "category_name": "Identity & Access Management",
            "class_uid": 3002,
            "class_name": "Authentication",
            "activity_id": 1,
            "activity_name": "Logon",
            "type_uid": 300201,
            "type_name": "Authentication: Logon",
            "severity_id": 2,
            "severity": "Low",
            "status_id": 2,
            "status": "Failure",
            "time": int(datetime(2026, 11, 21, 22, tzinfo=UTC).timestamp()) * 1000 + 123,
            "message": "Login failed",
            "metadata": {
                "version": "1.5.0",
                "product": {"name": "Sabot", "vendor_name": "Sabot"},
                "log_name": "audit",
                "event_code": "LOGIN_FAILED",
                "uid": "00000000-0000-7000-8000-000000000005",
                "sequence": 41,
            },
            "actor": {"app_name": "not logged in"},
            "src_endpoint": {"ip": "192.0.2.7"},
            "user": {"uid": "12", "name": "anna"},
            "service": {"name": "Sabot"},
            "unmapped": {
                "subject": "user:12",
                "hash": "01" * 32,
                "reason": "wrong_password",
            },
        }

    def test_of_a_call_follows_its_method_and_status(self) -> None:
        """A DELETE that was refused; the query may contain what somebody searched for."""
        details = {"method": "DELETE", "path": "/api/v1/webhooks/7?q=Rossi", "status": 403}

        event = event_of(record_of("API_CALLED", details, subject="key:K1"))

        assert (event["activity_name"], event["status"]) == ("Delete", "Failure")
        assert event["api"]["response"] == {"code": 403}
        assert event["http_request"]["url"] == {"path": "/api/v1/webhooks/7"}
        assert "Rossi" not in str(event)

    def test_has_no_free_text(self) -> None:
        """Of a dispute its texts and its customer stay in Sabot."""
        details = {"round": "r-1", "step": 1, "text": "secret", "note": "secret", "customer": "p-1"}

        event = encoded_event(record_of("DISPUTE_OPENED", details, subject="dispute:D-0001"))

        assert b"r-1" in event
        assert b"secret" not in event
        assert b"p-1" not in event

    def test_of_an_unknown_action_is_sent_without_details(self) -> None:
        """A newer release may have recorded it, or somebody with SQL."""
        event = event_of(record_of("WHAT_IS_THIS", {"text": "secret"}))

        require_valid(event)
        assert event["metadata"]["event_code"] == "WHAT_IS_THIS"
        assert event["severity"] == "Medium"
        assert "secret" not in str(event)


class TestARecordThatIsMeantToStopTheOthers:
    @pytest.mark.parametrize(
        "value",
        [None, True, -1, 10**400, "\ud800\x00\n", "😀" * 5_000, [], ["😀" * 9_999] * 99, {}, _DEEP],
        ids=range(10),
    )  # fmt: skip
    def test_has_a_valid_short_event(self, value: object) -> None:
        """Whatever its details are: every database role can write them."""
        names = (
            "account",
            "address",
            "after",
            "call",
            "list",
            "method",
            "path",
            "status",
            "rounds",
        )
        subject, actor = "user:" + "😀" * 115, "😀" * 200
        for action in ("API_CALLED", "ROLES_CHANGED", "PAGE_VIEWED", "LOGGED_IN", "CASE_OPENED"):
            for details in (dict.fromkeys(names, value), value):
                record = record_of(action, details, subject=subject)._replace(actor=actor)
                body = encoded_event(record)
                assert len(body) <= LONGEST
                require_valid(json.loads(body))
