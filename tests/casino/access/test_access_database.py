"""The database requires two people for changes of access, also for direct inserts."""

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from casino.access.models import AccessDecision, AccessEvent, AccessRequest
from compliance.storage.database_roles.rights import rights_of
from compliance.storage.database_roles.role import DatabaseRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> tuple[User, User, User]:
    """Requester, decider and the person concerned."""
    ada, bruno, clerk = (User.objects.create_user(name) for name in ("ada", "bruno", "clerk"))
    return ada, bruno, clerk


def requested(by: User, about: User) -> AccessRequest:
    """A request as the service stores it."""
    row = {"kind": "factors", "reason": "lost", "requested_at": timezone.now()}
    return AccessRequest.objects.create(person=about, requested_by=by, **row)


def refuses(statement: str, *values: int) -> bool:
    """Whether the database refuses a statement."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, values)
    except DatabaseError:
        return True
    return False


INSERT = (
    "INSERT INTO casino_accessdecision (request_id, is_approved, note, decided_by_id, decided_at)"
    " VALUES (%s, true, '', %s, now())"
)


class TestADecision:
    def test_of_the_requester_or_the_person_concerned_is_refused(
        self, people: tuple[User, User, User]
    ) -> None:
        """Direct SQL is checked like the page."""
        ada, bruno, clerk = people
        row = requested(ada, clerk)

        refused = [refuses(INSERT, row.pk, person.pk) for person in (ada, clerk, bruno)]

        assert refused == [True, True, False]

    def test_is_the_only_one(self, people: tuple[User, User, User]) -> None:
        """A rejected request cannot be approved later."""
        ada, bruno, clerk = people
        row = requested(ada, clerk)
        AccessDecision.objects.create(
            request=row, is_approved=False, decided_by=bruno, decided_at=timezone.now()
        )

        assert refuses(INSERT, row.pk, bruno.pk)


class TestARequest:
    def test_about_oneself_is_refused(self, people: tuple[User, User, User]) -> None:
        """Direct SQL is checked like the page."""
        ada, _bruno, _clerk = people

        assert refuses(
            "INSERT INTO casino_accessrequest (kind, person_id, roles_before, roles_after, reason,"
            " sealed_half, requested_by_id, requested_at)"
            " VALUES ('roles', %s, '{}', '{administrator}', 'x', '', %s, now())",
            ada.pk,
            ada.pk,
        )

    @pytest.mark.parametrize("model", [AccessRequest, AccessDecision, AccessEvent])
    def test_is_append_only_for_web_processes(self, model: type[Model]) -> None:
        """Its database role has SELECT and INSERT only."""
        assert rights_of(DatabaseRole.WEB, model._meta.db_table) == ("SELECT", "INSERT")

    @pytest.mark.parametrize(
        "change", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"]
    )
    @pytest.mark.parametrize("model", [AccessRequest, AccessDecision, AccessEvent])
    def test_is_append_only_for_the_owner(
        self, people: tuple[User, User, User], model: type[AccessEvent], change: str
    ) -> None:
        """Triggers refuse changes by the tables' owner."""
        ada, bruno, clerk = people
        row = requested(ada, clerk)
        AccessDecision.objects.create(
            request=row, is_approved=True, decided_by=bruno, decided_at=timezone.now()
        )
        AccessEvent.objects.create(person=clerk, kind="roles_changed", at=timezone.now())

        assert refuses(change.format(model._meta.db_table))
