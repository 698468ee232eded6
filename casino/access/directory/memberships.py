"""Who is in the groups of the directory: it asks for a role, or takes it away.

A membership gives nobody a role. Administrators see on *Access requests* what the directory asks
for, and decide about it as about any other role.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.audit import acting_on, record_access
from casino.access.changes import record_and_notify, roles_of
from casino.access.directory.errors import RolesTogether
from casino.access.directory.groups import directory_groups
from casino.access.directory.leave import reduce_roles
from casino.access.models import DirectoryMembership
from casino.access.roles import are_kept_apart


class WantedRoles(NamedTuple):
    """What the directory asks for one person."""

    person: User
    roles: tuple[str, ...]
    since: datetime
    actor: str
    """The directory, with its key."""


def managed_people() -> QuerySet[User]:
    """The people whose accounts the directory manages; it knows of no others."""
    return User.objects.filter(directory__isnull=False).select_related("directory")


def latest_memberships(people: Iterable[int] | None = None) -> "list[DirectoryMembership]":
    """What the directory said last about each person and role, oldest first."""
    rows = DirectoryMembership.objects.order_by("person_id", "role", "-pk")
    if people is not None:
        rows = rows.filter(person_id__in=people)
    latest = rows.distinct("person_id", "role").select_related("person")
    return sorted(latest, key=lambda row: row.pk)


def groups_of(people: Collection[User]) -> Mapping[int, set[str]]:
    """The roles by person in whose groups the people are: as the directory said, or as they have.

    A person who has a role is in its group, so that the directory can take it away.
    """
    known = directory_groups()
    held = _roles_by_person([person.pk for person in people])
    roles = {person: names & known.keys() for person, names in held.items()}
    for row in latest_memberships(roles):
        if row.is_member and row.role in known:
            roles[row.person_id].add(row.role)
    return roles


def wanted_roles() -> list[WantedRoles]:
    """What the directory asks for, by person: roles of their groups that they do not have."""
    wanted: dict[int, WantedRoles] = {}
    if not directory_groups():
        return []
    managed = {person.pk: person for person in managed_people().filter(is_active=True)}
    held, known = _roles_by_person(managed), directory_groups()
    for row in latest_memberships(managed):
        person = managed[row.person_id]
        if not row.is_member or row.role not in known or row.role in held[person.pk]:
            continue
        before = wanted.get(person.pk)
        roles = (*before.roles, row.role) if before else (row.role,)
        wanted[person.pk] = WantedRoles(person, roles, row.at, row.actor)
    return list(wanted.values())


def join_group(request: HttpRequest, person: User, role: str) -> None:
    """Asks for a role, in the current transaction; again, it changes nothing.

    Raises RolesTogether.
    """
    groups = groups_of([person])[person.pk]
    if role in groups:
        return
    if not are_kept_apart({*groups, *roles_of(person), role}):
        text = _("members: found %(person)s with %(found)s; needed a person without them")
        found = ", ".join(sorted({*groups, *roles_of(person)}))
        raise RolesTogether(text % {"person": person.get_username(), "found": found})
    _add_membership(request, person, role, is_member=True)
    record_and_notify(request, "DIRECTORY_ROLE_ASKED", person, _details(role))


def leave_group(request: HttpRequest, person: User, role: str) -> None:
    """Takes a role away at once, and withdraws what was asked. Raises LastAdministrators."""
    reduce_roles(request, person, [role])
    _withdraw(request, person, [role])


def withdraw_all(request: HttpRequest, person: User) -> None:
    """Withdraws what was asked for a person whom the directory no longer manages."""
    _withdraw(request, person, directory_groups())


def _roles_by_person(people: Iterable[int]) -> dict[int, set[str]]:
    roles: dict[int, set[str]] = {person: set() for person in people}
    rows = User.groups.through.objects.filter(user_id__in=roles)
    for person, role in rows.values_list("user_id", "group__name"):
        roles[person].add(role)
    return roles


def _withdraw(request: HttpRequest, person: User, roles: Collection[str]) -> None:
    for row in latest_memberships([person.pk]):
        if row.is_member and row.role in roles:
            _add_membership(request, person, row.role, is_member=False)
            record_access(request, "DIRECTORY_ROLE_WITHDRAWN", person, _details(row.role))


def _add_membership(request: HttpRequest, person: User, role: str, *, is_member: bool) -> None:
    DirectoryMembership.objects.create(
        person=person,
        role=role,
        is_member=is_member,
        at=timezone.now(),
        actor=acting_on(person, request).name,
    )


def _details(role: str) -> dict[str, str]:
    return {"role": role, "group": directory_groups().get(role, "")}
