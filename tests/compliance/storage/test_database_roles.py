"""The roles of the database: declared completely, granted exactly, enough for their work."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone
from pytest_django import Settings

from casino.access.account_status import status_of
from casino.access.models import AccessRequest
from casino.access.notices import send_notices
from casino.access.requests import Kind, approve_access, reject_access, request_access
from casino.access.session_store import SessionStore
from casino.celery import app
from casino.workers.queues import queue_of
from compliance.storage.append_only import is_append_only
from compliance.storage.database_roles.grants import revoke_all_from
from compliance.storage.database_roles.rights import merge_rights, rights_of, table_rights
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from compliance.storage.managed_models import managed_models
from compliance.storage.partitions import Month, make_all_months
from compliance.trail.log.append_to_log import append_to_log
from payouts.cases.models import CaseWork, GoodwillCredit
from payouts.integrity.verify_schema import schema_differences
from payouts.settlement.models import Settlement
from payouts.settlement.void_round import void_round
from payouts.stuck_work.models import FailingTask
from rounds.models import QueuedRound
from tests.attacks.attempts import MONEY
from tests.casino.backoffice.people.people import somebody
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.databases import connected_as
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed, execute
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, REASON, stored
from tests.processes import Worker, wait_until
from tests.signers import FirstKey, give_accounts, signing

As = Callable[[DatabaseRole], AbstractContextManager[None]]
ADD = ("SELECT", "INSERT")
WRITING = {"INSERT", "UPDATE", "DELETE"}
WITHOUT_TASKS = (DatabaseRole.READER, DatabaseRole.SIEM)


@pytest.fixture
def as_role(fresh_casino: str) -> Iterator[As]:
    """Connects Django as a role for a while."""
    yield partial(connected_as, url=fresh_casino)
    connection.close()


class TestTheDeclaration:
    def test_has_every_table_once(self) -> None:
        """A new table belongs to nobody until somebody has decided who needs it."""
        tables = [model._meta.db_table for model in managed_models()]

        assert sorted(table_rights()) == sorted(tables)

    def test_names_a_table_with_too_few_columns(self) -> None:
        """A letter under the wrong role would be a right that nobody decided."""
        with pytest.raises(ValueError, match="found 1 columns for rounds_bet; needed 2"):
            merge_rights([("rounds", " web   worker\n rounds_bet   ra")])

    def test_names_a_table_of_another_application(self) -> None:
        """Else an application could add to the rights on another's table, unseen there."""
        rounds = ("rounds", "  web\n  rounds_bet   r")

        with pytest.raises(ValueError, match="casino: found rounds_bet a second time for web"):
            merge_rights([rounds, ("casino", "  web\n  rounds_bet   rawd")])

    def test_lets_an_application_declare_its_role_for_another_s_table(self) -> None:
        """As that of the SIEM; who has no column has no right."""
        rounds = ("rounds", "  web\n  rounds_bet   r")

        rights = merge_rights([rounds, ("siem", "  siem\n  rounds_bet   r")])["rounds_bet"]

        given = {role: of for role, of in rights.items() if of}
        assert given == {DatabaseRole.WEB: ("SELECT",), DatabaseRole.SIEM: ("SELECT",)}

    def test_lets_nobody_change_facts(self) -> None:
        """No role may UPDATE or DELETE rows of append-only tables."""
        changed = [
            (model._meta.db_table, role)
            for model in managed_models()
            for role in ROLES
            if is_append_only(model) and set(rights_of(role, model._meta.db_table)) - set(ADD)
        ]

        assert changed == []

    def test_lets_only_workers_write_money(self) -> None:
        """A settlement, its postings, balances and totals."""
        for table in MONEY:
            writing = [role for role in ROLES if WRITING & set(rights_of(role, table))]
            assert writing == [DatabaseRole.WORKER], table

    def test_lets_only_exporters_issue(self) -> None:
        """Bundles, signatures and certificates."""
        for table in ("exports_bundle", "exports_dossiersignature", "exports_rulecertificate"):
            writing = [role for role in ROLES if WRITING & set(rights_of(role, table))]
            assert writing == [DatabaseRole.EXPORTER], table

    def test_lets_the_reader_only_read(self) -> None:
        """And the others read what they write."""
        for table, rights in table_rights().items():
            assert not WRITING & set(rights[DatabaseRole.READER]), table
            assert all("SELECT" in rights[role] for role in ROLES if rights[role]), table


@pytest.mark.usefixtures("fresh_casino")
class TestTheCommand:
    def test_names_a_role_that_does_not_exist(self, settings: Settings) -> None:
        """It makes roles only if told to."""
        settings.DATABASE_ROLE_PREFIX = "nobody_"

        with pytest.raises(CommandError, match="nobody_web"):
            call_command("grant_database_roles")

    def test_takes_the_rights_of_a_former_role(self) -> None:
        """That of web and workers of earlier releases; twice does no harm."""
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE former_role")
            cursor.execute("GRANT INSERT ON ALL TABLES IN SCHEMA public TO former_role")
            cursor.execute("GRANT EXECUTE ON FUNCTION trail_make_partition TO former_role")
        before = len(schema_differences())

        call_command("grant_database_roles", "--former", "former_role")
        call_command("grant_database_roles", "--former", "nobody_at_all")

        assert before > 100
        assert schema_differences() == []
        with connection.cursor() as cursor:
            cursor.execute("DROP ROLE former_role")

    def test_grants_again_what_was_revoked(self) -> None:
        """After which nothing differs."""
        revoke_all_from(role_name(DatabaseRole.WEB))
        with connection.cursor() as cursor:
            cursor.execute(f"GRANT SELECT ON rounds_round TO {role_name(DatabaseRole.WEB)}")
        missing = {difference.found for difference in schema_differences()}

        call_command("grant_database_roles")

        assert missing == {"none"}
        assert schema_differences() == []


class TestTheRoles:
    def test_do_their_work(self, as_role: As) -> None:
        """Cases are approved by web, rounds stored, fed, settled, voided and logged."""
        open_table()
        approve_keys()
        with as_role(DatabaseRole.WEB):
            ingest(lines(baccarat_round("r-0")))
        with as_role(DatabaseRole.FEED):
            ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), "{broken"))
        with as_role(DatabaseRole.WORKER):
            settle()
            void_round(
                round_id=stored("r-1").id,
                after=1,
                reason=REASON,
                at=NOW,
                actor=GIULIA,
                approved_by=LORENZO,
            )
        with as_role(DatabaseRole.WEB):
            case = credit_proposed("p-1", 100)
            approve(case)
        with as_role(DatabaseRole.WORKER):
            outcomes = execute(case)
            append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())
            partitions = make_all_months([Month(2031, 5)])

        assert Settlement.objects.count() == 4
        assert GoodwillCredit.objects.count() == 1
        assert outcomes == [("done", None)]
        assert partitions["rounds_round"] == [Month(2031, 5)]

    def test_change_access_by_two(self, as_role: As) -> None:
        """Requested, approved and carried out by web, notices sent by workers."""
        with as_role(DatabaseRole.WEB):
            ada, bruno = somebody("ada", "administrator"), somebody("bruno", "administrator")
            clerk = somebody("clerk", "payments", email="clerk@casino.example")
            by_ada: dict[str, Any] = {"at": timezone.now(), "actor": signing("ada", ada.pk)}
            by_bruno: dict[str, Any] = {"at": timezone.now(), "actor": signing("bruno", bruno.pk)}
            request_access(request_by(ada), clerk, Kind.FACTORS, reason="lost", **by_ada)
            approve_access(request_by(bruno), AccessRequest.objects.get().pk, **by_bruno)
            request_access(request_by(ada), clerk, Kind.PASSWORD, reason="forgotten", **by_ada)
            pending = AccessRequest.objects.get(decision=None)
            reject_access(request_by(bruno), pending.pk, note="no", **by_bruno)
            must_enrol = status_of(clerk).must_enrol
        with as_role(DatabaseRole.WORKER):
            sent = send_notices(at=timezone.now())

        assert must_enrol
        assert sent == 5

    @pytest.mark.parametrize("role", [role for role in ROLES if role is not DatabaseRole.SIEM])
    def test_find_no_difference_between_the_schema_and_the_code(
        self, as_role: As, role: DatabaseRole
    ) -> None:
        """Each may read everything that is compared, but for the SIEM's, which compares nothing."""
        make_all_months([Month(2031, 5)])

        with as_role(role):
            assert schema_differences() == []


@pytest.mark.slow
@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
@pytest.mark.parametrize("role", [role for role in ROLES if role not in WITHOUT_TASKS])
def test_every_scheduled_task_has_the_rights_of_its_worker(as_role: As, role: DatabaseRole) -> None:
    """On a casino with a settled round, a quarantined document and an open case."""
    open_table()
    ingest(lines(baccarat_round("r-1"), "{broken"))
    settle()
    credit_proposed("p-1", 100)
    give_accounts()
    queue = app.conf.task_default_queue
    routes = app.conf.task_routes
    own = {True: queue, False: queue_of(role, default=queue)}[role is DatabaseRole.WORKER]
    tasks = {entry["task"] for entry in app.conf.beat_schedule.values()}
    done = sorted(task for task in tasks if routes.get(task, {"queue": queue})["queue"] == own)

    app.loader.import_default_modules()
    with as_role(role):
        for task in done:
            app.tasks[task].apply(throw=True)

    assert done
    assert not FailingTask.objects.filter(recovered_at=None).exists()


@pytest.mark.slow
def test_the_reader_verifies_everything(as_role: As, capsys: pytest.CaptureFixture[str]) -> None:
    """``verify_trail`` needs no right to write."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    append_to_log(Ed25519PrivateKey.generate(), now=timezone.now())

    with as_role(DatabaseRole.READER):
        call_command("verify_trail")

    assert "no faults" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_a_worker_settles_and_pays_what_web_processes_store(
    as_role: As, worker: Worker, broker: str, tmp_path: Path
) -> None:
    """A round that web delivered, then a credit that was proposed and approved there."""
    open_table()
    approve_keys()
    with as_role(DatabaseRole.WEB):
        ingest(lines(baccarat_round("r-1")))
    wait_until(lambda: not QueuedRound.objects.exists(), what="the round is settled")
    with as_role(DatabaseRole.WEB):
        approve(credit_proposed("p-1", 100))
    wait_until(
        lambda: not CaseWork.objects.filter(done_at=None).exists(), what="the credit is paid"
    )

    assert Settlement.objects.count() == 1
    assert GoodwillCredit.objects.get().cents == 100


def approve_keys() -> None:
    """The persons have keys and roles, which no other role of the database gives."""
    for person in (GIULIA, LORENZO):
        assert isinstance(person.signer, FirstKey)
        person.signer.approve()


def request_by(person: User) -> HttpRequest:
    """A request of this person."""
    request = RequestFactory(REMOTE_ADDR="192.0.2.7").post("/admin/")
    request.session = SessionStore()
    request.user = person
    return request
