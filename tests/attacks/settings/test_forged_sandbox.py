"""A casino in play is made no sandbox, whose rounds could be removed, and a sandbox no casino."""

from datetime import timedelta

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from compliance.storage.database_roles.role import ROLES, DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import SandboxStart
from compliance.trail.record import Entry, record_entries
from payouts.integrity.verify_schema import SchemaDiffers, schema_differences, verify_schema
from tests.attacks.attempts import DENIED, refusal
from tests.casino_in_play import NOW
from tests.databases import migrate, url_as

MARK = "INSERT INTO trail_sandboxstart (at) VALUES (now())"


def record(action: str = "TABLE_REGISTERED", actor: str = "test") -> None:
    """Anything that happens in a casino is recorded."""
    record_entries([Entry(action, "user:1", {})], at=NOW, actor=Actor(actor))


class TestTheMark:
    @pytest.mark.django_db
    def test_is_refused_once_anything_has_happened(self) -> None:
        """Even to the owner of the tables."""
        record()

        with pytest.raises(IntegrityError, match="needed an empty database"), transaction.atomic():
            SandboxStart.objects.create(at=timezone.now() - timedelta(days=9_999))

    @pytest.mark.parametrize("role", ROLES)
    def test_is_refused_to_every_role(self, fresh_casino: str, role: DatabaseRole) -> None:
        """In an empty database as well."""
        with psycopg.connect(url_as(role, fresh_casino), autocommit=True) as intruder:
            assert refusal(intruder, MARK) == DENIED

    @pytest.mark.django_db
    def test_is_found_once_somebody_disabled_its_guard(self, settings: Settings) -> None:
        """No worker starts with a sandbox's database, unless its host is told that it is one."""
        record()
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE trail_sandboxstart DISABLE TRIGGER USER")
            cursor.execute(MARK)
            cursor.execute("ALTER TABLE trail_sandboxstart ENABLE TRIGGER USER")

        [difference] = schema_differences()
        assert str(difference).startswith("the database: found that of a sandbox; needed SANDBOX=")
        with pytest.raises(SchemaDiffers):
            verify_schema(at=NOW, actor=Actor("test"))

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM trail_sandboxstart",
            "TRUNCATE trail_sandboxstart",
            "UPDATE trail_sandboxstart SET at = now()",
        ],
    )
    def test_stays(self, statement: str) -> None:
        """What is signed in a sandbox says for ever that it is not real."""
        SandboxStart.objects.create(at=NOW)

        with (
            pytest.raises(DatabaseError, match="Cannot"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


@pytest.mark.django_db
def test_the_setting_alone_makes_no_sandbox(settings: Settings) -> None:
    """The schema differs, and ``/readyz`` says so."""
    assert schema_differences() == []

    settings.SANDBOX = True

    [difference] = schema_differences()
    assert str(difference).startswith("the database: found that of a real casino; needed SANDBOX")


@pytest.mark.parametrize(
    ("is_sandbox", "action", "actor", "starts"),
    [
        (True, "", "", 1),
        (False, "", "", 0),
        (True, "ROLES_GIVEN_ON_HOST", "demo", 1),
        (True, "ROLES_GIVEN_ON_HOST", "root on casino-1", 0),
        (True, "TABLE_REGISTERED", "demo", 0),
    ],
)
@pytest.mark.usefixtures("empty_database")
def test_the_first_migration_marks_an_empty_database_or_an_earlier_demo(
    settings: Settings, is_sandbox: bool, action: str, actor: str, starts: int
) -> None:
    """And no casino that was upgraded while somebody had set the variable."""
    migrate("trail", "0009")
    if action:
        record(action, actor)
    settings.SANDBOX = is_sandbox

    migrate("trail")

    assert SandboxStart.objects.count() == starts
