"""Verification of roles: each account has those that were last decided, and no others."""

from datetime import datetime
from typing import Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import QuerySet

from casino.access.models import EarlierRoles
from casino.access.models.roles import ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST
from casino.access.roles import ADMINISTRATOR
from compliance.signatures.verify_signatures import (
    SignatureVerifier,
    UnsignedDecision,
    with_signatures,
)
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord

_BY_SIGNATURE: Final = ("ACCESS_APPROVED", "ACCESS_CHANGED")
_ON_HOST: Final = (ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST)


class _Given(NamedTuple):
    at: datetime
    roles: frozenset[str]


def verify_roles(report: Report) -> str:
    """Reports each account whose roles differ from those of the last decision about it."""
    decided = _decided_roles(AuditRecord.objects.all(), EarlierRoles.objects.all())
    actual = _actual_roles()
    for person in sorted(decided.keys() | actual.keys()):
        found = actual.get(person, frozenset())
        needed = decided[person].roles if person in decided else frozenset()
        if found != needed:
            report(f"user:{person}: found {_named(found)}; needed {_named(needed)}, as decided")
    return f"roles of {len(actual)} accounts"


def decided_roles(account: int, *, at: datetime) -> frozenset[str]:
    """The roles of an account by the last decision about it until this time."""
    records = AuditRecord.objects.filter(subject=f"user:{account}", at__lte=at)
    earlier = EarlierRoles.objects.filter(person_id=account, at__lte=at)
    decided = _decided_roles(records, earlier)
    return decided[account].roles if account in decided else frozenset()


def _decided_roles(
    among: "QuerySet[AuditRecord]", earlier: "QuerySet[EarlierRoles]"
) -> dict[int, _Given]:
    """By account: the roles by the last decision, or those from before decisions were verified."""
    decided = {row.person_id: _Given(row.at, frozenset(row.roles)) for row in earlier}
    verifier = SignatureVerifier()
    records = among.filter(action__in=_BY_SIGNATURE + _ON_HOST).order_by("id")
    for record, signature in with_signatures(records):
        if record.action in _BY_SIGNATURE:
            try:
                verifier.verify(record, signature)
            except UnsignedDecision:
                continue  # ``verify_signatures`` names it
        person = int(record.subject.removeprefix("user:"))
        if person not in decided or decided[person].at < record.at:
            decided[person] = _Given(record.at, _roles_in(record))
    return decided


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
