"""The application's database role can work, and cannot change append-only tables."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone
from pytest_django import Settings

from casino.access.account_status import status_of
from casino.access.models import AccessRequest
from casino.access.notices import send_notices
from casino.access.requests import Kind, approve_access, reject_access, request_access
from casino.access.session_store import SessionStore
from casino.operations.grants import is_append_only
from casino.operations.verify_schema import schema_differences
from compliance.storage.partitions import Month, make_all_months
from compliance.storage.schema_objects.declared import declared_triggers
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.models import PendingRow
from payouts.cases.models import Case
from payouts.settlement.models import Settlement
from tests.casino.backoffice.people.people import somebody
from tests.casino_in_play import ingest, open_table, settle
from tests.databases import connected_to
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import credit_proposed
from tests.payouts.settlement.resettlement_scenarios import void

FOUR_EYES: Final = next(
    name for _, name in declared_triggers() if "case_decided_by_another" in name
)
_STEP: Final = """
    INSERT INTO public.payouts_casestep
           (case_id, sequence, action, note, remedy, customer_id, cents, effect, effect_digest,
            reference, at, actor, actor_user_id)
    SELECT case_id, sequence + 1, '{action}', 'Seen.', '', NULL, NULL, effect, effect_digest,
           '', at, actor, actor_user_id
      FROM public.payouts_casestep WHERE case_id = %s AND action = 'proposed'
"""
_APPROVE_ALONE: Final = _STEP.format(action="approved")
_WITHDRAW: Final = _STEP.format(action="withdrawn")
_FACTS = sorted(model._meta.db_table for model in apps.get_models() if is_append_only(model))


@pytest.fixture
def as_application(fresh_casino: str) -> Iterator[None]:
    """Connects as a role with the application's grants."""
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
        """Ingest, settle, void, log, and create partitions."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), "{broken"))
        settle()
        void("r-1", after=1)
        append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())
        partitions = make_all_months([Month(2031, 5)])

        assert Settlement.objects.count() == 3
        assert partitions["rounds_round"] == [Month(2031, 5)]

    def test_can_change_access_by_two(self, settings: Settings) -> None:
        """Requested, approved and carried out, notices included."""
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        ada, bruno = somebody("ada", "administrator"), somebody("bruno", "administrator")
        clerk = somebody("clerk", "payments", email="clerk@casino.example")

        request_access(request_by(ada), clerk, Kind.FACTORS, reason="lost")
        approve_access(request_by(bruno), AccessRequest.objects.get().pk)
        request_access(request_by(ada), clerk, Kind.PASSWORD, reason="forgotten")
        reject_access(request_by(bruno), AccessRequest.objects.get(decision=None).pk, note="no")

        assert status_of(clerk).must_enrol
        assert send_notices(at=timezone.now()) == 5

    def test_cannot_change_append_only_tables(self) -> None:
        """By its grants alone; it cannot disable triggers either."""
        for table in _FACTS:
            for change in ("DELETE FROM {0}", "TRUNCATE {0}", "UPDATE {0} SET {1} = {1}"):
                with pytest.raises(DatabaseError, match="permission denied"):
                    execute(change, table)
            with pytest.raises(DatabaseError, match="must be owner"):
                execute("ALTER TABLE {0} DISABLE TRIGGER ALL", table)
        with pytest.raises(DatabaseError, match="permission denied"):
            execute("SET session_replication_role = replica", _FACTS[0])

    @pytest.mark.parametrize("setting", ["{%s}", "{payouts_casestep:%s,%s}"])
    def test_cannot_pass_the_four_eyes_by_a_setting(self, setting: str) -> None:
        """``pgtrigger.ignore`` has no effect."""
        case = proposed()
        with connection.cursor() as cursor:
            cursor.execute(f"SET pgtrigger.ignore = '{setting.replace('%s', FOUR_EYES)}'")

        with pytest.raises(DatabaseError, match="opened or proposed it, another has to decide"):
            approve_alone(case)

    @pytest.mark.parametrize("path", ["pg_temp, public", "public", "pg_temp"])
    def test_cannot_pass_the_four_eyes_by_a_table_of_its_own(self, path: str) -> None:
        """A temporary table does not shadow the real one."""
        case = proposed()
        with connection.cursor() as cursor:
            for table in ("payouts_casestep", "payouts_case", "trail_pendingrow"):
                cursor.execute(f"CREATE TEMP TABLE {table} (LIKE public.{table} INCLUDING ALL)")
            cursor.execute(f"SET search_path = {path}")

        with pytest.raises(DatabaseError, match="opened or proposed it, another has to decide"):
            approve_alone(case)

    def test_cannot_keep_a_row_off_the_record_by_a_table_of_its_own(self) -> None:
        """Digests are queued in the real table."""
        case = proposed()
        waiting = PendingRow.objects.count()
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMP TABLE trail_pendingrow (LIKE public.trail_pendingrow)")
            cursor.execute("CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (false)")
            cursor.execute(_WITHDRAW, [case.pk])
            cursor.execute("DROP TABLE pg_temp.trail_pendingrow")

        assert PendingRow.objects.count() == waiting + 1

    @pytest.mark.parametrize(
        ("call", "why"),
        [
            ("trail_guard_partition('rounds_bet', 'rounds_bet_other')", "permission denied"),
            ("trail_guard_partition('mine', 'rounds_bet_other')", "permission denied"),
            ("trail_make_partition('mine', 2031, 5)", "needed one that is cut by month"),
            ("trail_make_partition('pg_temp.mine', 2031, 5)", "needed one that is cut by month"),
            ("trail_make_partition('payouts_case', 2031, 5)", "needed one that is cut by month"),
            ("trail_make_partition('rounds_bet', 2031, 13)", "needed one from 1970-1"),
            ("trail_make_partition('rounds_bet', 1969, 12)", "needed one from 1970-1"),
            ("trail_make_partition('rounds_bet', 10000, 1)", "needed one from 1970-1"),
        ],
    )
    def test_cannot_replace_the_guards_of_a_month(self, call: str, why: str) -> None:
        """It can only create partitions of partitioned tables."""
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMP TABLE mine (id uuid) PARTITION BY RANGE (id)")

        with pytest.raises(DatabaseError, match=why), connection.cursor() as cursor:
            cursor.execute(f"SELECT {call}")

    def test_finds_no_difference_between_the_schema_and_the_code(self) -> None:
        """It may read everything that is compared."""
        make_all_months([Month(2031, 5)])

        assert schema_differences() == []


def proposed() -> Case:
    """A credit proposed by Giulia that Lorenzo could approve."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    return credit_proposed("p-1", 9_999_999)


def approve_alone(case: Case) -> None:
    """Giulia approves her own proposal in SQL."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_APPROVE_ALONE, [case.pk])


def request_by(person: User) -> HttpRequest:
    """A request of this person."""
    request = RequestFactory(REMOTE_ADDR="192.0.2.7").post("/admin/")
    request.session = SessionStore()
    request.user = person
    return request


def execute(statement: str, table: str) -> None:
    """Runs a statement about a table and its first column in its own transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        cursor.execute(statement.format(table, cursor.description[0].name))


@pytest.mark.usefixtures("fresh_casino")
def test_an_unknown_role_is_refused() -> None:
    """The command does not create roles."""
    with pytest.raises(CommandError, match="nobody_here"):
        call_command("grant_application_role", "nobody_here")
