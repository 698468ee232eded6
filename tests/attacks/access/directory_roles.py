"""Roles of people whom a directory manages: given, recorded and verified."""

from typing import Final

from django.contrib.auth.models import Group, User
from django.utils import timezone

from casino.access.models import AccessRequest, EarlierRoles
from casino.access.requests import Kind, approve_access, request_access
from casino.access.verification.verify_roles import verify_roles
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entry
from tests.attacks.access.test_forged_access import by, request_by

BY_DIRECTORY: Final = Actor("Entra ID (key abc)")


def roles_of(user: User) -> set[str]:
    """The roles of a person."""
    return set(User.objects.get(pk=user.pk).groups.values_list("name", flat=True))


def faults() -> list[str]:
    """What ``verify_trail`` names about roles."""
    found: list[str] = []
    verify_roles(found.append)
    return found


def approved(user: User, role: str) -> None:
    """Ada requests the role, Bruno approves it."""
    request_access(request_by("ada"), user, Kind.ROLES, reason="new", roles=[role], **by("ada"))
    row = AccessRequest.objects.get(person=user, decision=None)
    approve_access(request_by("bruno"), row.pk, **by("bruno"))


def give_by_migration(*users: User) -> None:
    """The roles of these people are from before decisions were verified."""
    for user in users:
        EarlierRoles.objects.create(
            person_id=user.pk, roles=sorted(roles_of(user)), at=timezone.now()
        )


def give(user: User, role: str) -> None:
    """Gives the role by SQL."""
    User.groups.through.objects.create(user=user, group=Group.objects.get(name=role))


def record(user: User, roles: list[str]) -> None:
    """The record of a directory that would leave these roles."""
    details = {"roles_before": [], "roles_after": roles}
    entry = Entry("ACCESS_REDUCED", f"user:{user.pk}", details)
    record_entry(entry, at=timezone.now(), actor=BY_DIRECTORY)
