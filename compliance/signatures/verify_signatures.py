"""Verification of stored decisions: signatures are believed, rows are not.

A record of an action in ``signed_actions`` must have a signature of its actor, made with a key that
was in force then. A key is in force by an approval of another person that is signed in the same
way, up to the first keys, which the host approved and the environment names.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from compliance.signatures.assertions import Assertion, InvalidAssertion, verify_assertion
from compliance.signatures.models import DecisionSignature, SigningKey, SigningKeyStep
from compliance.signatures.queries import APPROVALS, Action, period_of
from compliance.trail.actor import Actor
from compliance.trail.app_declarations import declarations
from compliance.trail.encoding import record_text
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord

_AT_ONCE: Final = 1_000


class UnsignedDecision(Exception):
    """A decision has no valid signature of the person that it names."""


def signed_actions() -> frozenset[str]:
    """The audit actions that need a signature, as all applications declare them."""
    declared = declarations("signed_actions", "SIGNED")
    return frozenset(action for _name, actions in declared for action in actions)


class SignatureVerifier:
    """Verifies decisions; each key's chain of approvals once."""

    def __init__(self) -> None:
        self._approved: dict[str, bool] = {}

    def verify(self, record: AuditRecord, signature: DecisionSignature | None) -> None:
        """Raises UnsignedDecision unless the record's actor signed it."""
        if signature is None:
            raise UnsignedDecision("found no signature")
        key = self._keys.get(signature.key_id)
        if key is None or key.person_id != record.actor_user_id:
            raise UnsignedDecision("found a signature with another person's key")
        if key.is_software and not settings.SOFTWARE_KEYS:
            raise UnsignedDecision("found a signature with a key of the demo")
        self._require_key(key, at=record.at)
        try:
            verify_assertion(
                _assertion(key, signature), text=text_of_record(record), key=key.public
            )
        except InvalidAssertion as error:
            raise UnsignedDecision(str(error)) from error

    def is_approved(self, key: SigningKey) -> bool:
        """Whether the key's approval is signed, or its holder's key is one of the first."""
        if key.id not in self._approved:
            self._approved[key.id] = False  # a circle of approvals approves nothing
            self._approved[key.id] = self._is_first(key) or self._is_approval_signed(key)
        return self._approved[key.id]

    def _require_key(self, key: SigningKey, *, at: datetime) -> None:
        if not period_of(key).contains(at):
            raise UnsignedDecision(f"found a signature with key {key.short_id}, not in force then")
        if not self.is_approved(key):
            raise UnsignedDecision(f"found key {key.short_id}, whose approval is not signed")

    def _is_first(self, key: SigningKey) -> bool:
        is_rooted = any(step.action == Action.ROOTED for step in key.steps.all())
        return is_rooted and (
            not settings.SIGNING_KEY_ROOTS or key.id in settings.SIGNING_KEY_ROOTS
        )

    def _is_approval_signed(self, key: SigningKey) -> bool:
        approvals = [step for step in key.steps.all() if step.action == Action.APPROVED]
        return any(self._is_signed(key, step) for step in approvals)

    def _is_signed(self, key: SigningKey, approval: SigningKeyStep) -> bool:
        records = AuditRecord.objects.filter(
            subject=key.subject, action="SIGNING_KEY_APPROVED", at=approval.at
        )
        for record, signature in with_signatures(records):
            is_about_key = record.details["key"] == key.id
            if is_about_key and approval.actor_user_id == record.actor_user_id != key.person_id:
                with suppress(UnsignedDecision):
                    self.verify(record, signature)
                    return True
        return False

    @cached_property
    def _keys(self) -> dict[str, SigningKey]:
        return {key.id: key for key in SigningKey.objects.prefetch_related("steps")}


def verify_signatures(report: Report) -> str:
    """Verifies all records that must be signed and all approved keys; names what does not hold."""
    verifier, number = SignatureVerifier(), 0
    records = AuditRecord.objects.filter(action__in=signed_actions()).order_by("id")
    for record, signature in with_signatures(records):
        number += 1
        try:
            verifier.verify(record, signature)
        except UnsignedDecision as error:
            report(f"{record.action} of {record.subject} by {record.actor}: {error}")
    roots = 0
    for key in SigningKey.objects.prefetch_related("steps").order_by("id"):
        actions = {step.action for step in key.steps.all()}
        roots += Action.ROOTED in actions
        if actions.intersection(APPROVALS) and not verifier.is_approved(key):
            report(f"{key.subject} of {key.person_name}: found no signed approval")
    return f"{number} signed decisions, {roots} signing keys approved on the host"


def with_signatures(
    records: "QuerySet[AuditRecord]",
) -> Iterator[tuple[AuditRecord, DecisionSignature | None]]:
    """The records, each with its signature if it has one."""
    rows = records.iterator(_AT_ONCE)
    while some := list(islice(rows, _AT_ONCE)):
        signatures = DecisionSignature.objects.in_bulk([record.id for record in some])
        for record in some:
            yield record, signatures.get(record.id)


def _assertion(key: SigningKey, stored: DecisionSignature) -> Assertion:
    parts = (key.credential_id, stored.authenticator_data, stored.client_data, stored.signature)
    return Assertion(*map(bytes, parts))


def text_of_record(record: AuditRecord) -> str:
    """The text that the record's actor signed, made from the record."""
    return record_text(
        at=record.at,
        actor=Actor(record.actor, record.actor_user_id),
        action=record.action,
        subject=record.subject,
        details=record.details,
    )
