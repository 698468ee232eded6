"""Roles that nobody decided: each account that has other roles than were decided is named."""

from typing import Any, Final

import psycopg
import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import ProgrammingError, connection, transaction
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone

from casino.access.models import AccessRequest, EarlierRoles
from casino.access.models.roles import ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST
from casino.access.requests import Kind, approve_access, request_access
from casino.access.session_store import SessionStore
from casino.access.verification.verify_roles import verify_roles
from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entry
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Attack, succeeds_without
from tests.casino_in_play import NOW
from tests.signers import signing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clerk")]

ADMINISTRATORS: Final = ("ada", "bruno")


@pytest.fixture
def clerk(db: None) -> User:
    """Two administrators made on the host, and a payments clerk whom both gave the role."""
    for name in ADMINISTRATORS:
        fields = {"first_name": name, "last_name": "Rossi", "email": f"{name}@casino.example"}
        call_command("make_administrator", username=name, **fields)
    clerk = User.objects.create_user("clerk", is_staff=True)
    decide(clerk, "payments")
    return clerk


def decide(person: User, *roles: str) -> None:
    """Ada requests these roles, Bruno approves them."""
    request_access(
        request_by("ada"), person, Kind.ROLES, reason="new shift", roles=roles, **by("ada")
    )
    [row] = person_requests(person)
    approve_access(request_by("bruno"), row, **by("bruno"))


def person_requests(person: User) -> list[int]:
    """The pending requests about the person."""
    pending = AccessRequest.objects.filter(person=person, decision=None)
    return list(pending.values_list("pk", flat=True))


def request_by(name: str) -> HttpRequest:
    """A request of this user."""
    request = RequestFactory().post("/")
    request.user, request.session = User.objects.get(username=name), SessionStore()
    return request


def by(name: str) -> dict[str, Any]:
    """Time and actor of a decision, who signs."""
    user = User.objects.get(username=name)
    return {"at": timezone.now(), "actor": signing(actor_of(user).name, user.pk)}


def give(person: User, role: str) -> None:
    """Gives the role by SQL."""
    User.groups.through.objects.create(user=person, group=Group.objects.get(name=role))


def faults() -> list[str]:
    """What ``verify_trail`` names about roles."""
    found: list[str] = []
    verify_roles(found.append)
    return found


class TestRoles:
    def test_that_were_decided_or_given_on_the_host_agree(self) -> None:
        """The control; the reader verifies them as well."""
        with as_role(DatabaseRole.READER):
            assert faults() == []

    def test_given_by_sql_are_named(self, clerk: User) -> None:
        """By the web role, whose pages write them."""
        with as_web():
            give(clerk, "compliance")

        assert faults() == [
            f"user:{clerk.pk}: found compliance and payments; needed payments, as decided"
        ]

    def test_of_an_account_that_nobody_decided_about_are_named(self) -> None:
        """A new account of the web role."""
        with as_web():
            accomplice = User.objects.create_user("accomplice", is_staff=True)
            give(accomplice, "supervisor")

        assert faults() == [f"user:{accomplice.pk}: found supervisor; needed no role, as decided"]

    def test_from_before_a_later_decision_are_named(self, clerk: User) -> None:
        """A role that two administrators have taken away."""
        decide(clerk, "auditor")
        assert faults() == []
        with as_web():
            User.groups.through.objects.filter(user=clerk).delete()
            give(clerk, "payments")

        assert faults() == [f"user:{clerk.pk}: found payments; needed auditor, as decided"]

    def test_by_an_unsigned_record_are_named(self, clerk: User) -> None:
        """The record of an approval, in Bruno's name."""
        bruno = User.objects.get(username="bruno")
        details = {"roles_after": ["compliance", "payments"]}
        entry = Entry("ACCESS_APPROVED", f"user:{clerk.pk}", details)
        with as_web():
            give(clerk, "compliance")
            record_entry(entry, at=timezone.now(), actor=Actor("bruno Rossi", bruno.pk))

        assert len(faults()) == 1

    @pytest.mark.parametrize("action", [ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST])
    def test_by_a_record_of_the_host_are_refused(self, clerk: User, action: str) -> None:
        """Only the owner of the tables writes such records."""
        entry = Entry(action, f"user:{clerk.pk}", {"roles_after": ["compliance"]})
        for role in DatabaseRole:
            if role not in {DatabaseRole.WEB, DatabaseRole.WORKER}:  # they record no access
                continue
            with pytest.raises(ProgrammingError) as refused, transaction.atomic(), as_role(role):
                record_entry(entry, at=NOW, actor=Actor("root on host"))
            assert isinstance(refused.value.__cause__, psycopg.errors.InsufficientPrivilege)
            assert f"may not record {action}" in str(refused.value)

    def test_from_before_they_were_verified_agree(self) -> None:
        """Until the next decision about the account."""
        early = User.objects.create_user("early")
        give(early, "supervisor")
        EarlierRoles.objects.create(person_id=early.pk, roles=["supervisor"], at=NOW)
        assert faults() == []

        decide(early, "compliance")
        assert faults() == []


@pytest.mark.parametrize("attack", [TestRoles.test_by_an_unsigned_record_are_named])
def test_without_the_verification_of_signatures_it_passes(clerk: User, attack: Attack) -> None:
    """The forged record decides."""
    succeeds_without(SignatureVerifier, "verify", attack, TestRoles(), clerk, passing=None)


def test_without_the_trigger_the_record_is_written(clerk: User) -> None:
    """The web role invents an administrator."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgname LIKE '%%host_record_by_owner%%'")
        [[name], *_] = cursor.fetchall()
        cursor.execute(f"ALTER TABLE trail_auditrecord DISABLE TRIGGER {name}")

    attack = TestRoles.test_by_a_record_of_the_host_are_refused
    with pytest.raises(pytest.fail.Exception):
        attack(TestRoles(), clerk, ROLES_GIVEN_ON_HOST)
