"""Verification of stored decisions: signatures are believed, rows are not.

A record of an action in ``signed_actions`` must have a signature of its actor, made with a key that
was in force then. A key is in force by the approvals of two other persons that are signed in the
same way, up to the first keys, which the host approved and the environment names.

Its actor must have had the permission that the action needs, by the decisions about roles that the
signed log received before. Applications above know the roles, and declare ``ProvenPermissions`` in
``proven_permissions``: rows of groups give nobody a permission.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import combinations, islice
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.functional import cached_property  # without functools' lock of all objects

from compliance.signatures.assertions import Assertion, InvalidAssertion, verify_assertion
from compliance.signatures.log_order import in_force_by_log, is_logged_after
from compliance.signatures.models import DecisionSignature, EarlierDecision, SigningKey
from compliance.signatures.queries import Action, approvals_of, is_complete, period_of
from compliance.signatures.signed_text import decision_text, joint_text, text_of_record
from compliance.storage.app_declarations import declarations
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.log.log_status import is_in_log_or_pending
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry

_AT_ONCE: Final = 1_000
_SAID_OTHERWISE: Final = {"before", "due", "requested_at", "requested_by"}
"""Details that records from before signatures give in another form than rows do now."""


class UnsignedDecision(Exception):
    """A decision has no valid signature of the person that it names."""


class NotEntitled(UnsignedDecision):
    """No signed decision gave the person a role that may decide this."""


class DecidedRow(Protocol):
    """A row that holds a decision. Its entry is made from all of its columns."""

    @property
    def entry(self) -> Entry:
        """The audit record whose text the actor signed."""

    @property
    def at(self) -> datetime:
        """When it was decided."""

    @property
    def actor(self) -> str:
        """The name of the person."""

    @property
    def actor_user_id(self) -> int | None:
        """The person's account."""


@cache
def signed_actions() -> Mapping[str, str | None]:
    """The audit actions that need a signature, as all applications declare them.

    Each with the permission that it needs; None where signing is no matter of a permission.
    """
    declared = declarations("signed_actions", "SIGNED")
    return {action: needed for _name, actions in declared for action, needed in actions.items()}


class ProvenPermissions(Protocol):
    """What an application declares about permissions, for one verifier."""

    def __init__(self, verifier: "SignatureVerifier") -> None: ...

    def has_permission(self, record: AuditRecord, permission: str) -> bool:
        """Whether the record's actor had it, by what the log received before the record."""


class _Verified(NamedTuple):
    record: AuditRecord
    is_signed: bool


class SignatureVerifier:
    """Verifies decisions; each key's chain of approvals once."""

    def __init__(self) -> None:
        self.earlier = 0
        """The number of verified decisions from before signatures."""
        self._in_force_from: dict[str, datetime | None] = {}

    def verify(self, record: AuditRecord, signature: DecisionSignature | None) -> None:
        """Raises UnsignedDecision unless the record's actor signed it, and had a role to."""
        if signature is None:
            if not self._is_earlier(record):
                raise UnsignedDecision("found no signature")
            self.earlier += 1
            return
        key = self._keys.get(signature.key_id)
        if key is None:
            raise UnsignedDecision("found a signature with an unknown key")
        _require_own_key(key, record)
        _require_authenticator(key)
        _require_in_force(key, at=record.at)
        _require_logged_before_revocation(key, record)
        self._require_approved(key, at=record.at)
        try:
            verify_assertion(
                _assertion(key, signature), text=_signed_text(record, signature), key=key.public
            )
        except InvalidAssertion as error:
            raise UnsignedDecision(str(error)) from error
        self.require_entitled(record)

    def require_entitled(self, record: AuditRecord) -> None:
        """Raises NotEntitled unless its actor had the permission that its action needs."""
        needed = signed_actions()[record.action]
        if needed and not any(it.has_permission(record, needed) for it in self._permissions):
            raise NotEntitled(f"found no role that may {needed}, by signed decisions")

    def verify_entry(self, entry: Entry, *, at: datetime, actor: Actor) -> bool:
        """Whether the actor signed exactly this entry at this time; false from before signatures.

        Nobody can withhold its record from the log any more. Raises UnsignedDecision.
        """
        verified = self._verified(entry, at=at, actor=actor)
        if not is_in_log_or_pending(verified.record):
            raise UnsignedDecision("found its record outside the log")
        return verified.is_signed

    def _verified(self, entry: Entry, *, at: datetime, actor: Actor) -> "_Verified":
        text = decision_text(entry, at=at, actor=actor)
        records = AuditRecord.objects.filter(subject=entry.subject, action=entry.action, at=at)
        for record, signature in with_signatures(records.order_by("id")):
            is_earlier = signature is None and self._is_earlier(record)
            if _agrees(record, entry, actor) if is_earlier else text_of_record(record) == text:
                self.verify(record, signature)
                return _Verified(record, is_signed=not is_earlier)
        raise UnsignedDecision("found no audit record of it")

    def verify_row(self, row: DecidedRow) -> bool:
        """Whether the row is what its actor signed; false from before signatures.

        Raises UnsignedDecision.
        """
        return self.verify_entry(row.entry, at=row.at, actor=Actor(row.actor, row.actor_user_id))

    def in_force_from(self, key: SigningKey) -> datetime | None:
        """From when the key signs: its approval is signed, or the host approved it; else None."""
        if key.id not in self._in_force_from:
            self._in_force_from[key.id] = None  # a circle of approvals approves nothing
            self._in_force_from[key.id] = self._verified_start(key)
        return self._in_force_from[key.id]

    def signs(self, key: SigningKey, *, at: datetime) -> bool:
        """Whether the key is in force at this time by signed approvals."""
        begins_at = self.in_force_from(key)
        return begins_at is not None and begins_at <= at

    def _verified_start(self, key: SigningKey) -> datetime | None:
        approvals = approvals_of(key)
        if not is_complete(approvals):
            return None
        if approvals[0].action == Action.ROOTED:
            is_first = bool({key.id, "any"} & set(settings.SIGNING_KEY_ROOTS))
            return approvals[0].at if is_first else None
        holder = Actor(key.person_name, key.person_id)
        approvers = [Actor(step.actor, step.actor_user_id) for step in approvals]
        if any(
            is_same_person(one.name, one.user_id, other)
            for one, other in combinations([holder, *approvers], 2)
        ):
            return None
        with suppress(UnsignedDecision):
            return max(
                in_force_by_log(step, self._verified(step.entry, at=step.at, actor=approver).record)
                for step, approver in zip(approvals, approvers, strict=True)
            )
        return None

    def _require_approved(self, key: SigningKey, *, at: datetime) -> None:
        begins_at = self.in_force_from(key)
        if begins_at is None:
            raise UnsignedDecision(f"found key {key.short_id}, whose approval is not signed")
        if at < begins_at:
            raise UnsignedDecision(
                f"found key {key.short_id}, in force from {begins_at} by the log"
            )

    def _is_earlier(self, record: AuditRecord) -> bool:
        return EarlierDecision.objects.filter(pk=record.id).exists()

    @cached_property
    def _permissions(self) -> list[ProvenPermissions]:
        declared = declarations("proven_permissions", "ProvenPermissions")
        return [proven(self) for _name, proven in declared]

    @cached_property
    def _keys(self) -> dict[str, SigningKey]:
        return {key.id: key for key in SigningKey.objects.prefetch_related("steps")}


def _agrees(record: AuditRecord, entry: Entry, actor: Actor) -> bool:
    """Whether a record from before signatures says what a row says, in what both say.

    Otherwise a row could borrow its time.
    """
    said = json.loads(json.dumps(entry.details))
    common = said.keys() & record.details.keys() - _SAID_OTHERWISE
    return record.actor == actor.name and all(said[name] == record.details[name] for name in common)


def _require_own_key(key: SigningKey, record: AuditRecord) -> None:
    if key.person_id != record.actor_user_id:
        raise UnsignedDecision("found a signature with another person's key")


def _require_authenticator(key: SigningKey) -> None:
    """Refuses keys of a demo. Keys in browsers count by their approval, which names the kind.

    What they signed stays signed when BROWSER_KEYS is turned off; revoking them ends them.
    """
    if key.is_software and not settings.SOFTWARE_KEYS:
        raise UnsignedDecision("found a signature with a key of the demo")


def _require_in_force(key: SigningKey, *, at: datetime) -> None:
    if not period_of(key).contains(at):
        raise UnsignedDecision(f"found a signature with key {key.short_id}, not in force then")


def _require_logged_before_revocation(key: SigningKey, record: AuditRecord) -> None:
    """Raises UnsignedDecision for a decision that was dated back, after its key was revoked."""
    times = [step.at for step in key.steps.all() if step.action == Action.REVOKED]
    revocations = AuditRecord.objects.filter(
        subject=key.subject, action="SIGNING_KEY_REVOKED", at__in=times
    )
    if times:
        for revocation in revocations:
            if revocation.id != record.id and is_logged_after(record, revocation):
                raise UnsignedDecision(f"found key {key.short_id}, revoked before by the log")


def with_signatures(
    records: "QuerySet[AuditRecord]",
) -> Iterator[tuple[AuditRecord, DecisionSignature | None]]:
    """The records, each with its signature if it has one."""
    rows = records.iterator(_AT_ONCE)
    while some := list(islice(rows, _AT_ONCE)):
        signatures = DecisionSignature.objects.in_bulk([record.id for record in some])
        for record in some:
            yield record, signatures.get(record.id)


def _signed_text(record: AuditRecord, signature: DecisionSignature) -> str:
    """The text of the record, or the texts of all records signed together."""
    record_ids = signature.signed_with or [record.id]
    together = AuditRecord.objects.in_bulk(record_ids)
    _require_signed_with(record, record_ids, together)
    return joint_text([text_of_record(together[record_id]) for record_id in record_ids])


def _require_signed_with(
    record: AuditRecord, record_ids: list[UUID], together: Mapping[UUID, AuditRecord]
) -> None:
    if record.id not in together or len(together) != len(record_ids):
        raise InvalidAssertion("found a signature of other records")


def _assertion(key: SigningKey, stored: DecisionSignature) -> Assertion:
    parts = (key.credential_id, stored.authenticator_data, stored.client_data, stored.signature)
    return Assertion(*map(bytes, parts))
