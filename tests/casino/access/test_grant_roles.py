"""``manage.py grant_roles`` gives roles the permissions that the code declares."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from casino.access.roles import grant_roles

pytestmark = pytest.mark.django_db


def permissions_of(role: str) -> set[str]:
    """The code names of what the role may do."""
    return set(Group.objects.get(name=role).permissions.values_list("codename", flat=True))


def test_gives_what_an_older_release_did_not() -> None:
    """Two administrators decide about access; the roles of before knew no such permission."""
    grant_roles()
    request = Permission.objects.get(codename="request_access")
    Group.objects.get(name="administrator").permissions.remove(request)

    call_command("grant_roles", verbosity=0)

    assert "request_access" in permissions_of("administrator")


def test_takes_away_what_was_given_by_hand() -> None:
    """An administrator who was given a right to decide about money has it no longer."""
    grant_roles()
    decide = Permission.objects.get(codename="approve_decision")
    Group.objects.get(name="administrator").permissions.add(decide)

    call_command("grant_roles", verbosity=0)

    assert "approve_decision" not in permissions_of("administrator")
