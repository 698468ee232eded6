"""A directory of the staff that was taken over makes nobody powerful.

It takes access away: that is its task. Its record of that is not signed, and gives nobody a role.
"""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import AccessRequest, DirectoryMembership
from casino.access.requests import Kind, StaleAccessRequest, approve_access, request_access
from casino.access.verification import verify_roles as verification
from casino.access.verification.verify_roles import DecidedRoles
from compliance.signatures.signature_verifier import SignatureVerifier
from tests.attacks.access.directory_roles import (
    approved,
    faults,
    give,
    give_by_migration,
    record,
    roles_of,
)
from tests.attacks.access.test_forged_access import by, request_by
from tests.attacks.forgeries import as_web
from tests.attacks.guards import weakened
from tests.casino.api.scim.conftest import managed
from tests.casino.api.scim.directories import GROUP, GROUPS, USERS, Directory, patch, person

pytestmark = pytest.mark.django_db


class TestNobodyBecomesPowerful:
    def test_by_the_account_itself(self, directory: Directory) -> None:
        """Whatever of SCIM or Django the body names."""
        powers = {
            "roles": [{"value": "administrator"}],
            "groups": [{"value": "administrator"}],
            "entitlements": [{"value": "administrator"}],
            "is_superuser": True,
            "isStaff": True,
            "id": "1",
            "user_permissions": [1],
        }
        lia = directory.joins("lia", **powers)
        directory.call("PUT", f"{USERS}/{lia.pk}", person("lia", **powers))
        directory.patch(lia, {"op": "add", "value": powers})
        for name, value in powers.items():
            directory.patch(lia, {"op": "add", "path": name, "value": value})

        lia.refresh_from_db()
        assert (lia.is_superuser, lia.user_permissions.exists(), roles_of(lia)) == (
            False,
            False,
            set(),
        )

    @pytest.mark.parametrize("role", ["administrator", "supervisor", "payments"])
    def test_by_a_group(self, directory: Directory, role: str) -> None:
        """By PATCH or PUT, again and again: what is asked is asked."""
        lia = directory.joins("lia")
        members = [{"value": str(lia.pk)}]

        for _ in range(2):
            directory.adds(role, lia)
            add = {"op": "add", "value": {"members": members}}
            directory.call("PATCH", f"{GROUPS}/{role}", patch(add))
            whole = {"schemas": [GROUP], "members": members}
            name = directory.get(f"{GROUPS}/{role}").json()["displayName"]
            directory.call("PUT", f"{GROUPS}/{role}", {**whole, "displayName": name})

        assert roles_of(lia) == set()
        assert DirectoryMembership.objects.count() == 1
        assert faults() == []

    def test_by_one_administrator_with_the_directory(
        self, directory: Directory, administrators: list[User]
    ) -> None:
        """What the directory asks for still needs two administrators."""
        lia = directory.joins("lia")
        directory.adds("supervisor", lia)

        outcome = request_access(
            request_by("ada"), lia, Kind.ROLES, reason="asked", roles=["supervisor"], **by("ada")
        )

        assert (outcome.is_pending, roles_of(lia)) == (True, set())

    def test_with_a_factor_that_was_prepared(
        self, directory: Directory, administrators: list[User]
    ) -> None:
        """Of an account that the attacker created, prepared and had approved."""
        lia = directory.joins("lia")
        lia.set_password("a password of the attacker")
        lia.save()
        Authenticator.objects.create(user=lia, type=Authenticator.Type.TOTP, data={"secret": "x"})
        attacker = Client()
        attacker.force_login(lia)
        directory.adds("supervisor", lia)
        approved(lia, "supervisor")

        lia.refresh_from_db()
        assert roles_of(lia) == {"supervisor"}
        assert not Authenticator.objects.filter(user=lia).exists()
        assert not lia.check_password("a password of the attacker")
        assert attacker.get("/admin/").status_code == 302

    def test_by_reopening_what_was_approved_while_it_was_closed(
        self, directory: Directory, administrators: list[User]
    ) -> None:
        """Closed while the request waited: the approval gives a closed account no role."""
        lia = directory.joins("lia")
        request_access(
            request_by("ada"), lia, Kind.ROLES, reason="new", roles=["supervisor"], **by("ada")
        )
        directory.closes(lia)

        with pytest.raises(StaleAccessRequest):
            approve_access(request_by("bruno"), AccessRequest.objects.get().pk, **by("bruno"))

        directory.patch(lia, {"op": "replace", "path": "active", "value": True})
        assert roles_of(lia) == set()

    def test_by_reopening_an_account_with_its_roles(self, directory: Directory) -> None:
        """One that an administrator closed keeps its roles, and stays closed."""
        nino = managed("nino", "supervisor")
        User.objects.filter(pk=nino.pk).update(is_active=False)

        answer = directory.patch(nino, {"op": "replace", "path": "active", "value": True})

        nino.refresh_from_db()
        assert (answer.status_code, nino.is_active) == (403, False)

    def test_by_the_former_password_of_a_leaver(self, directory: Directory) -> None:
        """Who left, and whose account the attacker reopens."""
        nino = managed("nino", "supervisor")
        nino.set_password("the password of Nino")
        nino.save()
        Authenticator.objects.create(user=nino, type=Authenticator.Type.TOTP, data={"secret": "x"})

        directory.closes(nino)
        directory.patch(nino, {"op": "replace", "path": "active", "value": True})

        nino.refresh_from_db()
        assert (nino.is_active, nino.has_usable_password()) == (True, False)
        assert not Authenticator.objects.filter(user=nino).exists()


class TestTheRecordOfADirectory:
    """``ACCESS_REDUCED`` is not signed: it proves that roles were taken away, nothing else."""

    @pytest.fixture
    def nino(self, administrators: list[User]) -> User:
        """A supervisor by two signed decisions."""
        give_by_migration(*administrators)
        user = managed("nino")
        approved(user, "supervisor")
        assert faults() == []
        return user

    def test_that_takes_a_role_away_is_accepted(self, directory: Directory, nino: User) -> None:
        """The control: at once, and proven."""
        directory.removes("supervisor", nino)

        assert (roles_of(nino), faults()) == (set(), [])
        assert DecidedRoles(SignatureVerifier()).roles_of(nino.pk)[0] == frozenset()

    def test_that_adds_a_role_is_named(self, nino: User) -> None:
        """Written with the rights of the web role, as the role is."""
        with as_web():
            give(nino, "payments")
            record(nino, ["payments", "supervisor"])

        assert faults() == [
            f"user:{nino.pk}: found payments, added by a directory; needed none so",
            f"user:{nino.pk}: found payments and supervisor; needed supervisor, as decided",
        ]
        assert DecidedRoles(SignatureVerifier()).roles_of(nino.pk)[0] == {"supervisor"}

    def test_that_gives_a_role_back_is_named(self, directory: Directory, nino: User) -> None:
        """A replay of an earlier state."""
        directory.removes("supervisor", nino)
        with as_web():
            give(nino, "supervisor")
            record(nino, ["supervisor"])

        assert len(faults()) == 2
        assert DecidedRoles(SignatureVerifier()).roles_of(nino.pk)[0] == frozenset()

    def test_that_is_missing_is_named(self, nino: User) -> None:
        """A role that vanished without a record."""
        with as_web():
            nino.groups.clear()

        assert faults() == [f"user:{nino.pk}: found no role; needed supervisor, as decided"]

    def test_counts_until_the_next_decision(self, directory: Directory, nino: User) -> None:
        """Two administrators give the role again."""
        directory.removes("supervisor", nino)
        approved(nino, "supervisor")

        assert (roles_of(nino), faults()) == ({"supervisor"}, [])

    def test_without_the_guard_it_gives_roles(self, nino: User) -> None:
        """A reduction that is believed as a decision is."""
        with (
            weakened(verification.DecidedRoles.roles_of, "step.is_reduction"),
            pytest.raises(AssertionError),
        ):
            self.test_that_adds_a_role_is_named(nino)
