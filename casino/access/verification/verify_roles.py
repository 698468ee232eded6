"""Verification of roles: each account has those that were last decided, and no others."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final, NamedTuple, Self
from uuid import UUID

from django.contrib.auth.models import User

from casino.access.models import EarlierRoles
from casino.access.models.roles import ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST
from casino.access.roles import ADMINISTRATOR, is_powerful
from compliance.signatures.models import DecisionSignature
from compliance.signatures.requested_decisions import is_signed_record, request_of
from compliance.signatures.signature_verifier import SignatureVerifier, with_signatures
from compliance.trail.extra_checks import Report
from compliance.trail.log.log_status import position_of
from compliance.trail.models import AuditRecord

_BY_ONE: Final = "ACCESS_CHANGED"
_REJECTED: Final = "ACCESS_REJECTED"
_OF_REQUESTS: Final = ("ACCESS_APPROVED", _REJECTED)
"""By a second administrator, on what another one requested."""
_BY_SIGNATURE: Final = (*_OF_REQUESTS, _BY_ONE)
_ON_HOST: Final = (ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST)
_REDUCED: Final = "ACCESS_REDUCED"
"""By a directory, without a signature: it takes roles away and never gives one."""
_ABOUT_ROLES: Final = (*_BY_SIGNATURE, *_ON_HOST, _REDUCED)
_ANY_TIME: Final = datetime.max.replace(tzinfo=UTC)
_PENDING: Final = sys.maxsize


class _Step(NamedTuple):
    """Roles that an account has from then on, or to which those it had are reduced."""

    at: datetime
    roles: frozenset[str]
    is_reduction: bool = False
    is_by_one: bool = False
    """Whether one administrator decided it, who neither gives nor takes a role that decides."""


class _Decision(NamedTuple):
    """A record about the roles of an account."""

    place: tuple[int, UUID]
    """In the order of the signed log, whatever times the records name; pending ones come last."""
    record: AuditRecord
    signature: DecisionSignature | None

    @classmethod
    def of(cls, record: AuditRecord, signature: DecisionSignature | None) -> Self:
        """The record at its place."""
        return cls((_leaf_of(record), record.id), record, signature)


def verify_roles(report: Report) -> str:
    """Reports each account whose roles differ from those of the last decision about it."""
    decided, actual = DecidedRoles(SignatureVerifier()), _actual_roles()
    for person in sorted(decided.accounts() | actual.keys()):
        found = actual.get(person, frozenset())
        needed, added = decided.roles_of(person)
        if added:
            report(f"user:{person}: found {_named(added)}, added by a directory; needed none so")
        if found != needed:
            report(f"user:{person}: found {_named(found)}; needed {_named(needed)}, as decided")
    return f"roles of {len(actual)} accounts"


class DecidedRoles:
    """Roles by decisions that count: their persons signed them, and were administrators then."""

    def __init__(self, verifier: SignatureVerifier) -> None:
        self._verifier = verifier
        self._earlier: dict[int, list[EarlierRoles]] = {}
        self._decisions: dict[int, list[_Decision]] = {}
        self._requests: dict[UUID, UUID] = {}
        self._counts: dict[UUID, bool] = {}

    def accounts(self) -> set[int]:
        """Those about which something was decided."""
        subjects = AuditRecord.objects.filter(action__in=_ABOUT_ROLES).values_list("subject")
        earlier = EarlierRoles.objects.values_list("person_id", flat=True)
        return {*earlier, *(_account_in(subject) for (subject,) in subjects.distinct())}

    def roles_for(self, record: AuditRecord) -> Iterator[frozenset[str]]:
        """The roles of its actor by decisions that the log received before this record.

        First by those until its date, then by all.
        """
        before = _Decision.of(record, None)
        for at in (record.at, _ANY_TIME):
            yield self.roles_of(record.actor_user_id or 0, before=before, at=at)[0]

    def roles_of(
        self, account: int, *, before: _Decision | None = None, at: datetime = _ANY_TIME
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The roles after all steps until then, and those that a reduction would have added."""
        roles: frozenset[str] = frozenset()
        added: frozenset[str] = frozenset()
        decided_at: datetime | None = None
        for step in self._steps(account, before, at):
            if step.is_reduction:
                added |= step.roles - roles
                roles &= step.roles
            elif step.is_by_one and is_powerful(roles | step.roles):
                continue  # no decision: it needed a second administrator
            elif decided_at is None or decided_at < step.at:
                roles, decided_at = step.roles, step.at
        return roles, added

    def _steps(self, account: int, before: _Decision | None, at: datetime) -> Iterator[_Step]:
        """The roles from before decisions were verified, and each decision since."""
        until = at if before is None else min(at, before.record.at)
        for row in self._before_verified(account):
            if row.at <= until:
                yield _Step(row.at, frozenset(row.roles))
        decided: set[UUID] = set()
        for decision in self._about(account):
            record = decision.record
            if before is not None and decision.place >= before.place:
                return
            if record.at > at or not self._does_count(decision):
                continue  # ``verify_signatures`` names it, or the roles that differ show it
            if request := self._requests.get(record.id):
                if request in decided:
                    continue
                decided.add(request)
            if record.action != _REJECTED:
                is_reduction, is_by_one = record.action == _REDUCED, record.action == _BY_ONE
                yield _Step(record.at, _roles_in(record), is_reduction, is_by_one)

    def _before_verified(self, account: int) -> list[EarlierRoles]:
        if account not in self._earlier:
            self._earlier[account] = list(EarlierRoles.objects.filter(person_id=account))
        return self._earlier[account]

    def _about(self, account: int) -> list[_Decision]:
        if account not in self._decisions:
            records = AuditRecord.objects.filter(subject=f"user:{account}", action__in=_ABOUT_ROLES)
            self._decisions[account] = sorted(
                (_Decision.of(*signed) for signed in with_signatures(records)),
                key=attrgetter("place"),
            )
        return self._decisions[account]

    def _does_count(self, decision: _Decision) -> bool:
        if decision.record.id not in self._counts:
            self._counts[decision.record.id] = self._is_decided(decision)
        return self._counts[decision.record.id]

    def _is_decided(self, decision: _Decision) -> bool:
        record, signature = decision.record, decision.signature
        if record.action not in _BY_SIGNATURE:
            return True
        if not is_signed_record(record, signature, self._verifier):
            return False
        if signature is None:
            return True  # from before signatures
        persons = {record.actor_user_id}
        if record.action in _OF_REQUESTS:
            request = request_of(record, "ACCESS_REQUESTED", self._verifier)
            if request is None:
                return False
            self._requests[record.id] = request
            persons.add(record.details.get("requested_by"))
        return all(self._is_administrator(person, before=decision) for person in persons)

    def _is_administrator(self, person: int | None, *, before: _Decision) -> bool:
        return person is not None and ADMINISTRATOR in self.roles_of(person, before=before)[0]


def _leaf_of(record: AuditRecord) -> int:
    position = position_of(record.id)
    return _PENDING if position is None else position.leaf


def _account_in(subject: str) -> int:
    return int(subject.removeprefix("user:"))


def _roles_in(record: AuditRecord) -> frozenset[str]:
    if record.action == ADMINISTRATOR_MADE:
        return frozenset([ADMINISTRATOR])
    return frozenset(record.details["roles_after"])


def _actual_roles() -> dict[int, frozenset[str]]:
    roles: dict[int, set[str]] = {}
    memberships = User.groups.through.objects.values_list("user_id", "group__name")
    for person, role in memberships:
        roles.setdefault(person, set()).add(role)
    return {person: frozenset(names) for person, names in roles.items()}


def _named(roles: frozenset[str]) -> str:
    return " and ".join(sorted(roles)) or "no role"
