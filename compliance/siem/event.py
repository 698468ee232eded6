"""The OCSF event of an audit record.

Every database role can write audit records of any content. None of them may stop the others from
being sent, so that every record has an event, which is valid and short.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from typing import Any, Final

from django.utils import translation

from compliance.siem.mapping import KINDS, Kind
from compliance.siem.ocsf import (
    ACCOUNT,
    API,
    APPLICATION,
    AUTHENTICATION,
    ENTITY,
    FINDING,
    OTHER,
    USER_ACCESS,
    VERSION,
    WEB_RESOURCE,
    Severity,
    Status,
)
from compliance.trail.action_labels import action_label
from compliance.trail.batches import milliseconds_of
from compliance.trail.log.whole_log import WholeRecord

LONGEST: Final = 7_900
"""Octets of an event. A syslog message of 8,192 is what every receiver should take (RFC 5425)."""

_PRODUCT: Final = {"name": "Sabot", "vendor_name": "Sabot"}
_SERVICE: Final = {"name": "Sabot"}
_BY_METHOD: Final = {"POST": "Create", "PUT": "Update", "PATCH": "Update", "DELETE": "Delete"}
_METHODS: Final = {"GET", "HEAD", "OPTIONS", *_BY_METHOD}
_FIRST_ERROR: Final = 400
_LAST_STATUS: Final = 599
_LONGEST_NAME: Final = 100
_LONGEST_PATH: Final = 1_000
_MOST_ROLES: Final = 12
_UNKNOWN: Final = Kind(ENTITY, severity=Severity.MEDIUM)
"""An action of another release: it is sent, without its details."""

_ACTOR_BY_PROFILE: Final = (FINDING, WEB_RESOURCE, APPLICATION)
"""Classes whose events have an actor by OCSF's profile *host* only."""
_WITHOUT_SOURCE: Final = (FINDING, APPLICATION)
_ALWAYS: Final = ("subject", "hash")

Event = dict[str, Any]


def encoded_event(record: WholeRecord) -> bytes:
    """The event as JSON in ASCII, at most ``LONGEST`` octets: without details if they are long."""
    event = event_of(record)
    with suppress(RecursionError):  # the details may be nested to any depth
        body = _encoded(event)
        if len(body) <= LONGEST:
            return body
    kept = {name: event["unmapped"][name] for name in _ALWAYS}
    return _encoded({**event, "unmapped": {**kept, "details_left_out": True}})


def event_of(record: WholeRecord) -> Event:
    """The event. ``metadata.uid`` is the record's id, ``metadata.sequence`` its leaf in the log."""
    kind = KINDS.get(record.action, _UNKNOWN)
    details = record.details if isinstance(record.details, dict) else {}
    message = _english_label(record.action)
    metadata = {
        "version": VERSION,
        "product": _PRODUCT,
        "log_name": "audit",
        "event_code": record.action,
        "uid": str(record.id),
        "sequence": record.leaf,
    }
    if kind.event_class in _ACTOR_BY_PROFILE:
        metadata["profiles"] = ["host"]
    return {
        **_classification(kind, details, record.action),
        "time": milliseconds_of(record.at),
        "message": message,
        "metadata": metadata,
        "actor": _actor(record),
        **_source(kind, details),
        **_OBJECTS[kind.event_class.uid](record, details),
        "unmapped": {
            "subject": record.subject,
            "hash": record.hash.hex(),
            **{name: details[name] for name in kind.details if details.get(name) is not None},
        },
    }


def severity_of(action: str) -> Severity:
    """The severity of an action's events."""
    return KINDS.get(action, _UNKNOWN).severity


def _encoded(event: Event) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode("ascii")


def _classification(kind: Kind, details: Mapping[str, Any], action: str) -> Event:
    of_class, activity, status = kind.event_class, kind.activity, kind.status
    if of_class is API:
        activity = _BY_METHOD.get(str(details.get("method")), activity)
        status = _status_of(details)
    activity_id = of_class.activities.get(activity, OTHER)
    # OCSF: where its own name is *Other*, the source's is given.
    name = action if activity_id == OTHER else activity
    return {
        "category_uid": of_class.category_uid,
        "category_name": of_class.category,
        "class_uid": of_class.uid,
        "class_name": of_class.caption,
        "activity_id": activity_id,
        "activity_name": name,
        "type_uid": of_class.uid * 100 + activity_id,
        "type_name": f"{of_class.caption}: {activity}",
        "severity_id": int(kind.severity),
        "severity": kind.severity.name.capitalize(),
        "status_id": int(status),
        "status": status.name.capitalize(),
    }


def _status_of(details: Mapping[str, Any]) -> Status:
    status = details.get("status")
    is_success = isinstance(status, int) and status < _FIRST_ERROR
    return Status.SUCCESS if is_success else Status.FAILURE


def _actor(record: WholeRecord) -> Event:
    """A person with their account, or the program or part of Sabot that acted."""
    if record.actor_user_id is None:
        return {"app_name": record.actor}
    return {"user": {"name": record.actor, "uid": str(record.actor_user_id)}}


def _source(kind: Kind, details: Mapping[str, Any]) -> Event:
    """The address that the record states, which API events must have."""
    if kind.event_class in _WITHOUT_SOURCE:
        return {}
    try:
        return {"src_endpoint": {"ip": str(ip_address(_text(details["address"])))}}
    except (KeyError, ValueError, TypeError):
        return {"src_endpoint": {"name": "unknown"}} if kind.event_class is API else {}


def _user(record: WholeRecord, details: Mapping[str, Any]) -> Event:
    """The account that the record is about."""
    uid = record.subject.partition(":")[2]
    name = details.get("account")
    return {
        "user": {"uid": uid, **({"name": name[:_LONGEST_NAME]} if isinstance(name, str) else {})}
    }


def _session(record: WholeRecord, details: Mapping[str, Any]) -> Event:
    return {**_user(record, details), "service": _SERVICE}


def _privileges(record: WholeRecord, details: Mapping[str, Any]) -> Event:
    roles = details.get("roles_after", details.get("after", ["administrator"]))
    listed = roles[:_MOST_ROLES] if isinstance(roles, list) else []
    return {**_user(record, details), "privileges": list(map(_text, listed))}


def _entity(record: WholeRecord, _details: Mapping[str, Any]) -> Event:
    kind, _, uid = record.subject.partition(":")
    return {"entity": {"name": record.subject, "type": kind, "uid": uid or kind}}


def _web_resource(_record: WholeRecord, details: Mapping[str, Any]) -> Event:
    """A page or a list."""
    name = details.get("list") or details.get("path")
    return {"web_resources": [{"name": _path(name)}]}


def _application(record: WholeRecord, _details: Mapping[str, Any]) -> Event:
    return {"app": {"name": record.subject}}


def _call(_record: WholeRecord, details: Mapping[str, Any]) -> Event:
    method, status = _text(details.get("method")), details.get("status")
    api: Event = {"operation": method, "request": {"uid": _text(details.get("call"))}}
    if isinstance(status, int) and 0 <= status <= _LAST_STATUS:
        api["response"] = {"code": int(status)}
    request: Event = {"url": {"path": _path(details.get("path"))}}
    if method in _METHODS:
        request["http_method"] = method
    return {"api": api, "http_request": request}


def _finding(record: WholeRecord, _details: Mapping[str, Any]) -> Event:
    return {"finding_info": {"uid": str(record.id), "title": _english_label(record.action)}}


_OBJECTS: Final[Mapping[int, Callable[[WholeRecord, Mapping[str, Any]], Event]]] = {
    FINDING.uid: _finding,
    ACCOUNT.uid: _user,
    AUTHENTICATION.uid: _session,
    ENTITY.uid: _entity,
    USER_ACCESS.uid: _privileges,
    WEB_RESOURCE.uid: _web_resource,
    APPLICATION.uid: _application,
    API.uid: _call,
}
"""By class, what OCSF requires of it besides what all events have."""


def _text(value: Any, *, most: int = 60) -> str:
    """A text that is ASCII where Sabot has written it, cut to a length."""
    return value[:most].encode("ascii", "replace").decode() if isinstance(value, str) else "unknown"


def _path(value: Any) -> str:
    """A path without its query, in which somebody may have searched for a text."""
    return _text(value, most=_LONGEST_PATH).partition("?")[0] or "/"


@cache
def _english_label(action: str) -> str:
    with translation.override("en"):
        return action_label(action)
