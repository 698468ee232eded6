"""Verification of roles: each account has those that were last decided, and no others."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from casino.access.models import EarlierRoles
from casino.access.models.roles import ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST
from casino.access.roles import ADMINISTRATOR, is_powerful
from compliance.signatures.requested_decisions import is_signed_record, request_of
from compliance.signatures.verify_signatures import SignatureVerifier, with_signatures
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord

_BY_ONE: Final = "ACCESS_CHANGED"
_REJECTED: Final = "ACCESS_REJECTED"
_OF_REQUESTS: Final = ("ACCESS_APPROVED", _REJECTED)
"""By a second administrator, on what another one requested."""
_BY_SIGNATURE: Final = (*_OF_REQUESTS, _BY_ONE)
_ON_HOST: Final = (ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST)
_REDUCED: Final = "ACCESS_REDUCED"
"""By a directory, without a signature: it takes roles away and never gives one."""


class _Step(NamedTuple):
    """Roles that an account has from then on, or to which those it had are reduced."""

    at: datetime
    roles: frozenset[str]
    is_reduction: bool = False
    is_by_one: bool = False
    """Whether one administrator decided it, who neither gives nor takes a role that decides."""


def verify_roles(report: Report) -> str:
    """Reports each account whose roles differ from those of the last decision about it."""
    steps = _steps(AuditRecord.objects.all(), EarlierRoles.objects.all())
    actual = _actual_roles()
    for person in sorted(steps.keys() | actual.keys()):
        found = actual.get(person, frozenset())
        needed, added = _roles_after(steps.get(person, ()))
        if added:
            report(f"user:{person}: found {_named(added)}, added by a directory; needed none so")
        if found != needed:
            report(f"user:{person}: found {_named(found)}; needed {_named(needed)}, as decided")
    return f"roles of {len(actual)} accounts"


def decided_roles(account: int, *, at: datetime) -> frozenset[str]:
    """The roles of an account by the last decision about it until this time."""
    records = AuditRecord.objects.filter(subject=f"user:{account}", at__lte=at)
    earlier = EarlierRoles.objects.filter(person_id=account, at__lte=at)
    return _roles_after(_steps(records, earlier).get(account, ()))[0]


def _roles_after(steps: Iterable[_Step]) -> tuple[frozenset[str], frozenset[str]]:
    """The roles after all steps, and those that a reduction would have added."""
    roles: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    decided_at: datetime | None = None
    for step in sorted(steps, key=lambda step: step.at):
        if step.is_reduction:
            added |= step.roles - roles
            roles &= step.roles
        elif step.is_by_one and is_powerful(roles | step.roles):
            continue  # no decision: it needed a second administrator
        elif decided_at is None or decided_at < step.at:
            roles, decided_at = step.roles, step.at
    return roles, added


def _steps(
    among: "QuerySet[AuditRecord]", earlier: "QuerySet[EarlierRoles]"
) -> dict[int, list[_Step]]:
    """By account: the roles from before decisions were verified, and each decision since."""
    steps: dict[int, list[_Step]] = defaultdict(list)
    for row in earlier:
        steps[row.person_id].append(_Step(row.at, frozenset(row.roles)))
    verifier = SignatureVerifier()
    decided: set[UUID] = set()
    records = among.filter(action__in=(*_BY_SIGNATURE, *_ON_HOST, _REDUCED)).order_by("id")
    for record, signature in with_signatures(records):
        if record.action in _BY_SIGNATURE and not is_signed_record(record, signature, verifier):
            continue  # ``verify_signatures`` names it
        if record.action in _OF_REQUESTS and signature:
            request = request_of(record, "ACCESS_REQUESTED", verifier)
            if request is None or request in decided:
                continue
            decided.add(request)
        if record.action == _REJECTED:
            continue
        person = int(record.subject.removeprefix("user:"))
        is_reduction, is_by_one = record.action == _REDUCED, record.action == _BY_ONE
        steps[person].append(_Step(record.at, _roles_in(record), is_reduction, is_by_one))
    return steps


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
