"""A directory that was taken over reaches its own accounts only, and never all administrators."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from casino.access.directory import leave
from casino.access.models import AccessNotice
from casino.access.notices import send_notices
from casino.api.scim import views as scim_views
from tests.attacks.access.directory_roles import roles_of
from tests.attacks.guards import weakened
from tests.casino.api.scim.conftest import managed
from tests.casino.api.scim.directories import (
    GROUPS,
    USERS,
    Directory,
    names_in,
    patch,
    person,
)
from tests.casino.backoffice.people.people import somebody
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


class TestNotEverybodyIsLockedOut:
    def test_by_closing_all_administrators(self, directory: Directory) -> None:
        """One of three goes; the last two stay, on record and with a notice."""
        people = [managed(name, "administrator") for name in ("ada", "bruno", "carla")]
        compliance = somebody("rita", "compliance")

        closed = [directory.closes(user) for user in people]
        deleted = [directory.call("DELETE", f"{USERS}/{user.pk}") for user in people[1:]]
        reduced = [directory.removes("administrator", user) for user in people[1:]]

        assert [answer.status_code for answer in closed] == [200, 403, 403]
        assert {answer.status_code for answer in (*deleted, *reduced)} == {403}
        assert "administrators" in closed[1].json()["detail"]
        active = User.objects.filter(is_active=True, groups__name="administrator")
        assert {user.username for user in active} == {"bruno", "carla"}
        refused = audit_records("DIRECTORY_REFUSED")
        assert len(refused) == 6
        assert all(actor.startswith("Entra ID (key ") for actor, _subject, _details in refused)
        notices = AccessNotice.objects.filter(recipient=compliance, action="DIRECTORY_REFUSED")
        assert notices.count() == 6

    def test_by_one_call_for_many(self, directory: Directory) -> None:
        """All members of the group at once: nothing of it happens."""
        people = [managed(name, "administrator") for name in ("ada", "bruno", "carla")]
        nobody = patch({"op": "replace", "path": "members", "value": []})

        answer = directory.call("PATCH", f"{GROUPS}/administrator", nobody)

        assert answer.status_code == 403
        assert all(roles_of(user) == {"administrator"} for user in people)

    def test_without_the_guard_all_are_closed(self, directory: Directory) -> None:
        """The count of those that remain is needed."""
        guard = "person.is_active and (count := active.count()) <= _FEWEST"
        with weakened(leave._require_other_administrators, guard), pytest.raises(AssertionError):
            self.test_by_closing_all_administrators(directory)

    def test_by_closing_who_is_not_managed(
        self, directory: Directory, administrators: list[User]
    ) -> None:
        """An account that nobody handed over is not found, as one that does not exist."""
        clerk = somebody("clerk", "payments")

        answers = [
            directory.closes(clerk),
            directory.call("DELETE", f"{USERS}/{clerk.pk}"),
            directory.call("PUT", f"{USERS}/{clerk.pk}", person("clerk")),
            directory.get(f"{USERS}/{clerk.pk}"),
            directory.get(f"{USERS}/{clerk.pk + 1_000}"),
        ]

        assert {answer.status_code for answer in answers} == {404}
        assert directory.removes("payments", clerk).status_code == 200
        assert (User.objects.get(pk=clerk.pk).is_active, roles_of(clerk)) == (True, {"payments"})

    def test_without_the_guard_any_account_is_closed(
        self, directory: Directory, administrators: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The query that everything goes through is needed."""
        monkeypatch.setattr(scim_views, "managed_people", User.objects.all)
        with pytest.raises((AssertionError, User.directory.RelatedObjectDoesNotExist)):
            self.test_by_closing_who_is_not_managed(directory, administrators)


class TestOtherAccounts:
    def test_are_not_listed(self, directory: Directory, administrators: list[User]) -> None:
        """By no page, filter or group."""
        directory.joins("lia")

        assert names_in(directory.get(USERS)) == ["lia"]
        assert directory.get(USERS).json()["totalResults"] == 1
        for text in ('userName eq "ada"', f'id eq "{administrators[0].pk}"', 'userName eq "*"'):
            assert names_in(directory.get(f"{USERS}?filter={text}")) == []
        group = directory.get(f"{GROUPS}/administrator").json()
        assert "members" not in group

    def test_do_not_lose_their_name(self, directory: Directory) -> None:
        """A user name never changes, so nobody takes another one's."""
        somebody("nino", "supervisor")
        lia = directory.joins("lia")

        renamed = directory.patch(lia, {"op": "replace", "path": "userName", "value": "nino"})
        replaced = directory.call("PUT", f"{USERS}/{lia.pk}", person("nino"))
        taken = directory.call("POST", USERS, person("NINO"))

        assert (renamed.status_code, renamed.json()["scimType"]) == (400, "mutability")
        assert (replaced.status_code, replaced.json()["scimType"]) == (400, "mutability")
        assert (taken.status_code, taken.json()["scimType"]) == (409, "uniqueness")
        assert User.objects.get(pk=lia.pk).username == "lia"

    def test_do_not_lose_their_identifier(self, directory: Directory) -> None:
        """By which a directory finds its accounts."""
        directory.joins("nino")
        lia = directory.joins("lia")

        answer = directory.patch(lia, {"op": "add", "path": "externalId", "value": "id-of-nino"})

        assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")


class TestAnAddress:
    def test_of_a_decider_changes_with_a_word_to_the_former_one(self, directory: Directory) -> None:
        """Who reads its mail learns of the change, and compliance does."""
        nino = managed("nino", "supervisor")
        somebody("rita", "compliance", email="rita@casino.example")

        directory.patch(
            nino, {"op": "replace", "value": {"emails": [{"value": "x@attacker.example"}]}}
        )

        notified = AccessNotice.objects.filter(about=nino, action="ACCOUNT_CHANGED")
        assert set(notified.values_list("email", flat=True)) == {
            "nino@casino.example",
            "x@attacker.example",
            "rita@casino.example",
        }

    def test_gets_no_secret(self, directory: Directory, mailoutbox: list[Any]) -> None:
        """Nothing that is sent to it logs anybody in."""
        lia = directory.joins("lia")
        directory.adds("supervisor", lia)
        send_notices(at=timezone.now())

        assert len(mailoutbox) == 2
        assert not any("password" in mail.body.lower() for mail in mailoutbox)
        assert not User.objects.get(pk=lia.pk).has_usable_password()

    def test_gets_a_secret_that_nobody_has_chosen(
        self, directory: Directory, mailoutbox: list[Any]
    ) -> None:
        """Without that line the password would be an empty one."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(User, "set_unusable_password", lambda user: user.set_password(""))
            with pytest.raises(AssertionError):
                self.test_gets_no_secret(directory, mailoutbox)
