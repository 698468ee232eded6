"""Keys of the audit log: the first one is published outside, two persons sign for each other."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.signatures.models import EarlierDecision
from compliance.signatures.sign_decision import record_decision
from compliance.signatures.signature_verifier import SignatureVerifier, UnsignedDecision
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord, LogKey
from compliance.trail.queries import records_of
from compliance.trail.record import Entry

APPROVERS: Final = 2
"""The number of persons who sign that a further key may come into force."""
_APPROVED: Final = "LOG_KEY_APPROVED"
_SUBJECT: Final = "log:keys"
_KEY_ID: Final = re.compile("[0-9a-f]{64}")


class LogKeyError(Exception):
    """The key of the log cannot be approved, or is not. Nothing was written."""


class InvalidLogKey(LogKeyError):
    """It is no id of a key, or the reason is missing."""


class NotAnotherPerson(LogKeyError):
    """The person has approved the key before."""


def approve_log_key(*, key_id: str, reason: str, at: datetime, actor: Actor) -> None:
    """Signs that a further key of the log may come into force; a second person does the same.

    Raises LogKeyError, or as ``record_decision``.
    """
    if not _KEY_ID.fullmatch(key_id) or not reason.strip():
        raise InvalidLogKey("found no id of 64 digits, or no reason; needed both")
    with transaction.atomic():
        lock_names([_SUBJECT])
        for approval in log_key_approvals().get(key_id, []):
            if is_same_person(approval.actor, approval.actor_user_id, actor):
                raise NotAnotherPerson(f"found {actor.name}; needed another person")
        entry = Entry(_APPROVED, _SUBJECT, {"key": key_id, "reason": reason.strip()})
        record_decision(entry, at=at, actor=actor)


def log_key_approvals() -> Mapping[str, list[AuditRecord]]:
    """The signed approvals of each key by its id, one of each person."""
    verifier = SignatureVerifier()
    approvals: dict[str, list[AuditRecord]] = {}
    for record in records_of(_SUBJECT).filter(action=_APPROVED):
        actor = Actor(record.actor, record.actor_user_id)
        entry = Entry(record.action, record.subject, record.details)
        of_key = approvals.get(str(record.details.get("key")), [])
        if any(is_same_person(other.actor, other.actor_user_id, actor) for other in of_key):
            continue
        try:
            verifier.verify_entry(entry, at=record.at, actor=actor)
        except UnsignedDecision:
            continue
        approvals[record.details["key"]] = [*of_key, record]
    return approvals


def require_approved(key_id: str) -> None:
    """Raises LogKeyError unless two persons signed that this key may come into force."""
    found = len(log_key_approvals().get(key_id, []))
    if found < APPROVERS:
        raise LogKeyError(
            f"found {found} signatures for key {key_id}; needed those of {APPROVERS} persons"
        )


def verify_log_keys(report: Report) -> str:
    """Reports each key but the first that came into force without two signatures."""
    keys = LogKey.objects.order_by("first_head")[1:]
    for key in keys:
        changes = records_of(f"key:{key.key_id}").filter(action="LOG_KEY_CHANGED")
        if EarlierDecision.objects.filter(pk__in=changes.values("pk")).exists():
            continue
        try:
            require_approved(key.key_id)
        except LogKeyError as error:
            report(f"key of the log from head {key.first_head} on: {error}")
    return f"{len(keys)} further keys of the log"
