"""A web process that was taken over writes no money and executes no decision."""

from collections.abc import Callable

import pytest

from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.schema_objects.declared import declared_triggers
from payouts.cases.models import Case
from tests.attacks.attempts import (
    MONEY,
    Connection,
    changes,
    inserts,
    obeyed,
    refusal,
)

FOUR_EYES = next(name for _, name in declared_triggers() if "case_decided_by_another" in name)
RAISED = "23514"
"""The SQLSTATE with which the trigger of the four eyes refuses."""
_STEP = """
    INSERT INTO public.payouts_casestep
           (case_id, sequence, action, note, remedy, customer_id, cents, effect, effect_digest,
            reference, at, actor, actor_user_id)
    SELECT case_id, sequence + 1, '{action}', 'Seen.', '', NULL, NULL, effect, effect_digest,
           '', at, actor, actor_user_id
      FROM public.payouts_casestep WHERE case_id = {case} AND action = 'proposed'
"""


@pytest.fixture
def web(connect: Callable[[DatabaseRole], Connection]) -> Connection:
    """A connection of the web role."""
    return connect(DatabaseRole.WEB)


def test_writes_no_money(web: Connection) -> None:
    """No settlement, transfer, balance, credit, total or verdict."""
    attempts = [statement for table in MONEY for statement in changes(web, table)]

    assert obeyed(web, [*attempts, *map(inserts, MONEY)]) == []


def test_cannot_lock_money(web: Connection) -> None:
    """A lock needs the right to write."""
    attempts = [
        "SELECT FROM payouts_account FOR UPDATE",
        "SELECT FROM payouts_account FOR SHARE",
        "DO $$ BEGIN LOCK TABLE payouts_account IN ROW EXCLUSIVE MODE; END $$",
        "DO $$ BEGIN LOCK TABLE payouts_transfer; END $$",
    ]

    assert obeyed(web, attempts) == []


def test_cannot_execute_a_case(web: Connection) -> None:
    """What became of approved work is for the worker to write."""
    attempts = [
        "UPDATE payouts_casework SET outcome = 'done', done_at = now()",
        "UPDATE payouts_casework SET due_at = now()",
        "DELETE FROM payouts_casework",
        "UPDATE payouts_caserun SET finished_at = now()",
    ]

    assert obeyed(web, attempts) == []


def test_cannot_invent_an_executed_case(web: Connection) -> None:
    """Work that it adds is still to be done."""
    run = (
        "INSERT INTO payouts_caserun (case_id, approved_at, finished_at)"
        " SELECT max(id), now(), now() FROM payouts_case"
    )
    work = (
        "INSERT INTO payouts_casework"
        " (run_id, number, after, outcome, owed_cents, error, attempts, due_at, done_at)"
        " SELECT case_id, 99, 0, 'done', 0, '', 0, now(), now() FROM payouts_caserun LIMIT 1"
    )

    assert [refusal(web, attempt) for attempt in (run, work)] == ["P0001", "P0001"]


def test_cannot_hide_a_round(web: Connection) -> None:
    """A queued round leaves the queue only by being settled or held."""
    assert obeyed(web, ["DELETE FROM rounds_queuedround"]) == []


def test_cannot_touch_the_log(web: Connection) -> None:
    """It adds records; that they are logged is for the worker."""
    log = ("treehead", "logkey", "lognode", "loggedbatch", "cosignature")
    attempts = [
        *(inserts(f"trail_{table}") for table in log),
        "DELETE FROM trail_pendingbatch",
        "DELETE FROM trail_pendingrow",
        "UPDATE trail_pendingrow SET digest = ''",
    ]

    assert obeyed(web, attempts) == []


def test_cannot_give_a_group_permissions(web: Connection) -> None:
    """What a role of the staff may do is for the owner to grant."""
    tables = (
        "auth_group_permissions",
        "auth_group",
        "auth_permission",
        "auth_user_user_permissions",
    )

    assert obeyed(web, [*map(inserts, tables)]) == []


def test_issues_nothing_for_the_regulator(web: Connection) -> None:
    """Bundles, signatures of dossiers, certificates."""
    issued = ("exports_bundle", "exports_dossiersignature", "exports_rulecertificate")

    assert obeyed(web, [*map(inserts, issued)]) == []


@pytest.mark.parametrize("setting", ["{%s}", "{payouts_casestep:%s,%s}"])
def test_cannot_pass_the_four_eyes_by_a_setting(
    web: Connection, proposed: Case, setting: str
) -> None:
    """``pgtrigger.ignore`` has no effect."""
    web.execute(f"SET pgtrigger.ignore = '{setting.replace('%s', FOUR_EYES)}'".encode())

    assert refusal(web, _STEP.format(action="approved", case=proposed.pk)) == RAISED


@pytest.mark.parametrize("path", ["pg_temp, public", "public", "pg_temp"])
def test_cannot_pass_the_four_eyes_by_a_table_of_its_own(
    web: Connection, proposed: Case, path: str
) -> None:
    """A temporary table does not shadow the real one."""
    for table in ("payouts_casestep", "payouts_case", "trail_pendingrow"):
        web.execute(f"CREATE TEMP TABLE {table} (LIKE public.{table} INCLUDING ALL)".encode())
    web.execute(f"SET search_path = {path}".encode())

    assert refusal(web, _STEP.format(action="approved", case=proposed.pk)) == RAISED


def test_cannot_keep_a_row_off_the_record_by_a_table_of_its_own(
    web: Connection, proposed: Case
) -> None:
    """Digests are queued in the real table."""
    count = "SELECT count(*) FROM public.trail_pendingrow"
    [before] = web.execute(count).fetchone() or [0]
    web.execute("CREATE TEMP TABLE trail_pendingrow (LIKE public.trail_pendingrow)")
    web.execute("CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (false)")
    web.execute(_STEP.format(action="withdrawn", case=proposed.pk).encode())

    assert web.execute(count).fetchone() == (before + 1,)
