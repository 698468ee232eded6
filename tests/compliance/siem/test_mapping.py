"""Every audit action has an OCSF class, and its event is what OCSF describes."""

import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import jsonschema_rs
import pytest
from django.conf import settings
from ocsf_json_schema import OcsfJsonSchemaEmbedded, get_ocsf_schema

from compliance.siem.event import event_of
from compliance.siem.mapping import KINDS
from compliance.siem.ocsf import CLASSES, OTHER, VERSION, Status
from compliance.storage.app_declarations import declarations
from compliance.trail.log.whole_log import WholeRecord
from tests.compliance.trail.recorded_actions import PACKAGES

_VERSIONS: Final = (VERSION, "1.8.0")
"""The version that events state, and the latest: none changes what an earlier one allows."""
_ACTIONS: Final = {
    action for _name, actions in declarations("audit_actions", "ACTIONS") for action in actions
}
_FULL: Final = {
    "account": "clerk",
    "address": "192.0.2.7",
    "after": ["payments"],
    "call": "0192-call",
    "list": "rounds",
    "method": "POST",
    "path": "/api/v1/rounds?cursor=3",
    "status": 201,
}
_SUBJECTS: Final = ("user:7", "table:live-1", "cases")


def record_of(action: str, details: Any, *, subject: str = "user:7") -> WholeRecord:
    """A record of the log."""
    at = datetime(2026, 11, 21, 22, 0, 0, 123456, tzinfo=UTC)
    key = UUID(int=7 << 76 | 2 << 62 | 5)
    return WholeRecord(41, key, at, "Anna Bianchi", 7, action, subject, details, b"\x01" * 32)


@cache
def validator(version: str, class_uid: int, profiles: tuple[str, ...]) -> Any:
    """Validates events of a class strictly: OCSF's attributes only."""
    schema = OcsfJsonSchemaEmbedded(get_ocsf_schema(version))
    name = schema.lookup_class_name_from_uid(class_uid)
    return jsonschema_rs.validator_for(schema.get_class_schema(name, list(profiles)))


def require_valid(event: dict[str, Any], *, version: str = VERSION) -> None:
    """Raises a ValidationError for an event that is not what OCSF describes."""
    profiles = tuple(event["metadata"].get("profiles", ()))
    validator(version, event["class_uid"], profiles).validate(event)


def test_every_action_has_its_class() -> None:
    """And no removed one."""
    assert sorted(KINDS) == sorted(_ACTIONS)


@pytest.mark.parametrize("version", _VERSIONS)
def test_every_event_is_valid(version: str) -> None:
    """With all details and with none, about a person, a thing, and everything of a kind."""
    for action, kind in KINDS.items():
        named = dict.fromkeys(kind.details, "x") | _FULL
        for details in (named, {}, {"address": None}, "tampered"):
            for subject in _SUBJECTS:
                record = record_of(action, details, subject=subject)
                require_valid(event_of(record), version=version)


def test_what_ocsf_does_not_describe_is_found() -> None:
    """So that the test above is one: another attribute, a missing one, another type."""
    valid = event_of(record_of("LOGGED_IN", _FULL))

    for broken in (
        {**valid, "adress": "192.0.2.7"},
        {name: value for name, value in valid.items() if name != "user"},
        {name: value for name, value in valid.items() if name != "service"},
        {**valid, "time": "yesterday"},
        {**valid, "activity_id": 55},
        {**valid, "src_endpoint": {"ip": "somewhere"}},
    ):
        with pytest.raises(jsonschema_rs.ValidationError):
            require_valid(broken)


@pytest.mark.parametrize("version", _VERSIONS)
def test_names_and_numbers_are_those_of_ocsf(version: str) -> None:
    """Of classes, categories and activities."""
    schema = get_ocsf_schema(version)
    by_uid = {found["uid"]: found for found in schema["classes"].values()}

    for ours in CLASSES:
        theirs = by_uid[ours.uid]
        numbers = theirs["attributes"]["activity_id"]["enum"]
        named = {value["caption"]: int(number) for number, value in numbers.items()}
        assert ours.caption == theirs["caption"]
        assert ours.category == theirs["category_name"]
        assert ours.activities.items() <= named.items()


def test_activities_are_named_as_in_ocsf() -> None:
    """A misspelled one would silently be another."""
    others = {action for action, kind in KINDS.items() if kind.activity_id == OTHER}

    assert {KINDS[action].activity for action in others} == {"Other"}


def test_details_are_recorded_under_these_names() -> None:
    """Each is a word of the code that records."""
    ours = settings.BASE_DIR / "compliance" / "siem"
    paths = (
        path for package in PACKAGES for path in Path(settings.BASE_DIR, package).rglob("*.py")
    )
    code = "".join(path.read_text() for path in paths if ours not in path.parents)
    words = set(re.findall(r'"([a-z_0-9]+)"', code)) | set(re.findall(r"\b([a-z_]+)[:=]", code))

    missing = {name for kind in KINDS.values() for name in kind.details} - words

    assert missing == set()


def test_free_texts_are_not_sent() -> None:
    """What people wrote, names and addresses of programs; the reasons of logins are codes."""
    texts = {"note", "text", "reason", "text_it", "purpose", "recipient", "url", "email", "filters"}
    sent = {action for action, kind in KINDS.items() if texts & set(kind.details)}

    assert sent == {"LOGIN_FAILED", "LOCKED_OUT", "REASON_ADDED"}


def test_the_documentation_has_the_table() -> None:
    """Each action as it is declared, in the same order."""
    page = (settings.BASE_DIR / "docs" / "administrator" / "siem.md").read_text()
    table = page.partition("| audit action | class | activity | severity | details |\n")[2]

    assert table.splitlines()[1:] == [
        f"| `{action}` | {kind.event_class.caption} {kind.event_class.uid} | {kind.activity}"
        f"{', failed' if kind.status is Status.FAILURE else ''} | {kind.severity.name.lower()}"
        f" | {', '.join(f'`{name}`' for name in kind.details)} |"
        for action, kind in KINDS.items()
    ]
