"""``manage.py grant_roles`` gives roles the permissions that the code declares."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from casino.access.roles import grant_roles

pytestmark = pytest.mark.django_db


def permissions_of(role: str) -> set[str]:
    """The code names of the role's permissions."""
    return set(Group.objects.get(name=role).permissions.values_list("codename", flat=True))


def test_adds_new_permissions() -> None:
    """Those of a later release."""
    grant_roles()
    request = Permission.objects.get(codename="request_access")
    Group.objects.get(name="administrator").permissions.remove(request)

    call_command("grant_roles", verbosity=0)

    assert "request_access" in permissions_of("administrator")


def test_removes_additional_permissions() -> None:
    """Those that were given by hand."""
    grant_roles()
    decide = Permission.objects.get(codename="approve_decision")
    Group.objects.get(name="administrator").permissions.add(decide)

    call_command("grant_roles", verbosity=0)

    assert "approve_decision" not in permissions_of("administrator")
