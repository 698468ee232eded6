"""Groups of the directory: each asks for a role, and takes it away."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import ImproperlyConfigured

from casino.access.directory.groups import parse_directory_roles
from casino.access.directory.memberships import wanted_roles
from casino.access.models import AccessNotice, DirectoryMembership
from tests.casino.api.scim.conftest import managed
from tests.casino.api.scim.directories import GROUP, GROUPS, USERS, Directory, patch
from tests.compliance.trail.audit_records import audit_records


def roles_of(user: User) -> set[str]:
    """The roles of a person."""
    return set(User.objects.get(pk=user.pk).groups.values_list("name", flat=True))


def members(directory: Directory, role: str) -> list[str]:
    """The user names in the group of a role."""
    group = directory.get(f"{GROUPS}/{role}").json()
    return [member["display"] for member in group.get("members", [])]


@pytest.mark.django_db
class TestTheGroups:
    def test_are_those_of_the_setting(self, directory: Directory) -> None:
        """Found by their name, without regard to case."""
        every = directory.get(GROUPS).json()
        one = directory.get(f'{GROUPS}?filter=displayName eq "Casino-Auditors"').json()

        assert [group["displayName"] for group in every["Resources"]] == [
            "casino-supervisors",
            "casino-auditors",
        ]
        assert [group["id"] for group in one["Resources"]] == ["auditor"]
        assert every["totalResults"] == 2

    def test_cannot_be_made_or_deleted(self, directory: Directory) -> None:
        """The error names those that there are."""
        new = {"schemas": [GROUP], "displayName": "casino-administrators"}

        made = directory.call("POST", GROUPS, new)
        deleted = directory.call("DELETE", f"{GROUPS}/supervisor")
        other = directory.get(f"{GROUPS}/administrator")

        assert (made.status_code, deleted.status_code, other.status_code) == (403, 403, 404)
        for answer in (made, other):
            assert "casino-supervisors, casino-auditors" in answer.json()["detail"]

    def test_cannot_be_renamed(self, directory: Directory) -> None:
        """Okta sends the name with each change: the same one is no change."""
        same = {"op": "replace", "value": {"id": "supervisor", "displayName": "casino-supervisors"}}
        other = {"op": "replace", "value": {"displayName": "casino-administrators"}}

        answers = [
            directory.call("PATCH", f"{GROUPS}/supervisor", patch(op)) for op in (same, other)
        ]

        assert [answer.status_code for answer in answers] == [200, 400]
        assert answers[1].json()["scimType"] == "mutability"


@pytest.mark.django_db
class TestAMember:
    def test_asks_for_the_role_and_has_none(self, directory: Directory) -> None:
        """Administrators and compliance learn of it."""
        compliance = managed("rita", "compliance")
        lia = directory.joins("lia")

        answer = directory.adds("supervisor", lia)

        assert (answer.status_code, roles_of(lia)) == (200, set())
        assert members(directory, "supervisor") == ["lia"]
        [wanted] = wanted_roles()
        assert (wanted.person, wanted.roles) == (lia, ("supervisor",))
        [(actor, _subject, details)] = audit_records("DIRECTORY_ROLE_ASKED")
        assert actor == wanted.actor
        assert details["group"] == "casino-supervisors"
        notices = AccessNotice.objects.filter(recipient=compliance, about=lia)
        assert notices.filter(action="DIRECTORY_ROLE_ASKED").exists()
        [group] = directory.get(f"{USERS}/{lia.pk}").json()["groups"]
        assert (group["value"], group["display"]) == ("supervisor", "casino-supervisors")

    def test_who_joins_again_asks_once(self, directory: Directory) -> None:
        """A directory repeats itself."""
        lia = directory.joins("lia")

        for _ in range(3):
            assert directory.adds("supervisor", lia).status_code == 200

        assert DirectoryMembership.objects.count() == 1
        assert len(audit_records("DIRECTORY_ROLE_ASKED")) == 1

    @pytest.mark.parametrize("way", ["value", "filter", "put", "replace"])
    def test_who_is_removed_loses_the_role_at_once(
        self, directory: Directory, supervisor: User, way: str
    ) -> None:
        """Also a role that was given before the directory managed the account."""
        where = f"{GROUPS}/supervisor"
        ways: dict[str, tuple[str, Any]] = {
            "value": (
                "PATCH",
                patch(
                    {"op": "Remove", "path": "members", "value": [{"value": str(supervisor.pk)}]}
                ),
            ),
            "filter": (
                "PATCH",
                patch({"op": "remove", "path": f'members[value eq "{supervisor.pk}"]'}),
            ),
            "replace": ("PATCH", patch({"op": "replace", "path": "members", "value": []})),
            "put": ("PUT", {"schemas": [GROUP], "displayName": "casino-supervisors"}),
        }
        assert members(directory, "supervisor") == ["nino"]

        method, body = ways[way]
        answer = directory.call(method, where, body)

        assert (answer.status_code, roles_of(supervisor)) == (200, set())
        assert members(directory, "supervisor") == []
        assert len(audit_records("ACCESS_REDUCED")) == 1

    def test_who_is_removed_before_the_role_is_given_asks_no_more(
        self, directory: Directory
    ) -> None:
        """What was asked is withdrawn, on record."""
        lia = directory.joins("lia")
        directory.adds("supervisor", lia)

        directory.removes("supervisor", lia)

        assert wanted_roles() == []
        assert len(audit_records("DIRECTORY_ROLE_WITHDRAWN")) == 1

    def test_keeps_other_roles(self, directory: Directory, supervisor: User) -> None:
        """Only the role of the group goes."""
        supervisor.groups.add(Group.objects.get(name="payments"))

        directory.removes("supervisor", supervisor)

        assert roles_of(supervisor) == {"payments"}

    def test_has_to_be_an_account_of_the_directory(self, directory: Directory) -> None:
        """Nobody joins if one of them is not."""
        lia, stranger = directory.joins("lia"), User.objects.create_user("stranger")

        answer = directory.adds("supervisor", lia, stranger)

        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidValue")
        assert members(directory, "supervisor") == []

    def test_cannot_ask_for_roles_that_are_kept_apart(
        self, directory: Directory, administrators: list[User]
    ) -> None:
        """An administrator does not decide about money."""
        answer = directory.adds("supervisor", administrators[0])

        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidValue")
        assert "administrator" in answer.json()["detail"]

    def test_who_is_closed_asks_again_when_reopened(self, directory: Directory) -> None:
        """The group is as the directory said; a closed account has no use for a role."""
        lia = directory.joins("lia")
        directory.adds("supervisor", lia)

        directory.closes(lia)
        closed = wanted_roles()
        directory.patch(lia, {"op": "replace", "path": "active", "value": True})

        assert (closed, [wanted.person for wanted in wanted_roles()]) == ([], [lia])


class TestTheSetting:
    def test_names_a_group_for_each_role(self) -> None:
        """A group may contain an equals sign, as distinguished names do."""
        pairs = ["cn=tables,dc=casino=supervisor", " casino-auditors = auditor ", ""]

        assert parse_directory_roles(pairs) == {
            "supervisor": "cn=tables,dc=casino",
            "auditor": "casino-auditors",
        }

    @pytest.mark.parametrize(
        "pairs",
        [
            ["casino-supervisors"],
            ["=supervisor"],
            ["casino-heads=head"],
            ["a=supervisor", "b=supervisor"],
            ["a=supervisor", "a=auditor"],
        ],
    )
    def test_is_refused_with_what_was_found(self, pairs: list[str]) -> None:
        """Before Sabot starts."""
        with pytest.raises(ImproperlyConfigured, match=f"found {pairs[-1]}; needed"):
            parse_directory_roles(pairs)
