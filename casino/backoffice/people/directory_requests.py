"""What the directory of the staff asks for, as *Access requests* shows it."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _

from casino.access.changes import roles_of
from casino.access.current_user import request_user
from casino.access.directory.groups import directory_groups
from casino.access.directory.memberships import WantedRoles, latest_memberships, wanted_roles
from casino.access.models import AccessRequest, DirectoryMembership
from casino.access.roles import role_label
from casino.backoffice.people.person_page import REQUEST
from compliance.trail.people import name_of
from rounds.formatting import moment

_MOST_SHOWN: Final = 20


class WantedLine(NamedTuple):
    """What the directory asks for one person, and the request that an administrator opens."""

    wanted: WantedRoles
    name: str | None
    before: str
    after: str
    roles_after: list[str]
    reason: str
    is_requested: bool
    may_request: bool


class MembershipLine(NamedTuple):
    """A change of a group in the directory."""

    row: DirectoryMembership
    name: str | None
    role: str
    group: str
    badge: str


def directory_context(request: HttpRequest) -> dict[str, Any]:
    """What the directory asks for, and what it said lately."""
    return {"wanted": _wanted_lines(request), "memberships": _membership_lines()}


def withdrawn_roles(rows: Iterable[AccessRequest]) -> dict[int, list[str]]:
    """By request, the roles that the directory has withdrawn since it was made."""
    rows = list(rows)
    latest = latest_memberships({row.person_id for row in rows})
    return {
        row.pk: [
            role_label(membership.role)
            for membership in latest
            if membership.person_id == row.person_id
            and not membership.is_member
            and membership.at >= row.requested_at
            and membership.role in set(row.roles_after) - set(row.roles_before)
        ]
        for row in rows
    }


def _wanted_lines(request: HttpRequest) -> list[WantedLine]:
    reader = request_user(request)
    pending = AccessRequest.objects.filter(decision=None)
    requested = set(pending.values_list("person_id", flat=True))
    may_request = reader.has_perm(REQUEST)
    lines = []
    for wanted in wanted_roles():
        before = roles_of(wanted.person)
        after = sorted({*before, *wanted.roles})
        lines.append(
            WantedLine(
                wanted,
                name_of(wanted.person),
                _labels(before),
                _labels(after),
                after,
                _reason(wanted),
                wanted.person.pk in requested,
                may_request and wanted.person != reader,
            )
        )
    return lines


def _reason(wanted: WantedRoles) -> str:
    groups = ", ".join(directory_groups()[role] for role in wanted.roles)
    text = _("Asked by the directory %(directory)s, %(moment)s: group %(groups)s")
    values = {"directory": wanted.actor, "moment": moment(wanted.since), "groups": groups}
    return text % values


def _membership_lines() -> list[MembershipLine]:
    rows = DirectoryMembership.objects.select_related("person").order_by("-pk")[:_MOST_SHOWN]
    return [
        MembershipLine(
            row,
            name_of(row.person),
            role_label(row.role),
            directory_groups().get(row.role, ""),
            _badge(row),
        )
        for row in rows
    ]


def _badge(row: DirectoryMembership) -> str:
    if not row.is_member:
        return "directory-withdrawn"
    return "directory-given" if row.role in roles_of(row.person) else "directory-asked"


def _labels(roles: Iterable[str]) -> str:
    return ", ".join(map(role_label, roles))
