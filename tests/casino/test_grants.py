"""The application's role: everything works, and nothing that happened can be changed."""

from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from casino.grants import is_append_only
from compliance.trail.appending import append_to_log
from compliance.trail.partitions import Month, make_all_months
from payouts.models import Settlement
from tests.casino_in_play import ingest, open_table, settle
from tests.databases import connected_to
from tests.documents import baccarat_round, lines
from tests.payouts.two import void

_FACTS = sorted(model._meta.db_table for model in apps.get_models() if is_append_only(model))


@pytest.fixture
def as_application(fresh_casino: str) -> Iterator[None]:
    """Connected as a role that was given what the application needs."""
    role = f"app_{uuid4().hex[:12]}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {role} LOGIN")
    call_command("grant_application_role", role)
    parts = urlsplit(fresh_casino)
    _, _, host = parts.netloc.rpartition("@")
    with connected_to(urlunsplit(parts._replace(netloc=f"{role}@{host}"))):
        yield
        connection.close()
    with connection.cursor() as cursor:
        cursor.execute(f"DROP OWNED BY {role}")
        cursor.execute(f"DROP ROLE {role}")


@pytest.mark.usefixtures("as_application")
class TestTheApplicationsRole:
    def test_can_do_the_work(self) -> None:
        """Rounds in, settled, voided by two, into the log; and the months that come next made."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), "{broken"))
        settle()
        void("r-1", after=1)
        append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())
        made = make_all_months([Month(2031, 5)])

        assert Settlement.objects.count() == 3
        assert made["rounds_round"] == [Month(2031, 5)]

    def test_cannot_change_what_happened(self) -> None:
        """By its rights alone, before any trigger is asked; nor put the triggers out of action."""
        for table in _FACTS:
            for change in ("DELETE FROM {0}", "TRUNCATE {0}", "UPDATE {0} SET {1} = {1}"):
                with pytest.raises(DatabaseError, match="permission denied"):
                    execute(change, table)
            with pytest.raises(DatabaseError, match="must be owner"):
                execute("ALTER TABLE {0} DISABLE TRIGGER ALL", table)
        with pytest.raises(DatabaseError, match="permission denied"):
            execute("SET session_replication_role = replica", _FACTS[0])


def execute(statement: str, table: str) -> None:
    """A statement about a table and the first of its columns, in a transaction of its own."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        cursor.execute(statement.format(table, cursor.description[0].name))


@pytest.mark.usefixtures("fresh_casino")
def test_a_role_that_is_not_there_is_named() -> None:
    """The owner of the database makes roles, nobody here."""
    with pytest.raises(CommandError, match="nobody_here"):
        call_command("grant_application_role", "nobody_here")
