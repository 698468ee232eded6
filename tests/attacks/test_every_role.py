"""No role of the database changes facts, switches guards off, or becomes another one."""

from collections.abc import Callable

import pytest

from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from tests.attacks.attempts import FACTS, Connection, changes, obeyed, refusal

Connect = Callable[[DatabaseRole], Connection]

FUNCTION = "rounds_closed_to()"
GUARD = "_pgtrigger_should_ignore(name)"
_TRIGGER = (
    "CREATE TRIGGER mine BEFORE INSERT ON payouts_casestep FOR EACH ROW"
    " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
)
_IGNORE = (
    "CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name)"
    " RETURNS boolean LANGUAGE sql AS $$ SELECT true $$"
)

pytestmark = pytest.mark.parametrize("role", ROLES)


@pytest.fixture
def attacker(connect: Connect, role: DatabaseRole) -> Connection:
    """Somebody who has taken a process of the role over."""
    return connect(role)


@pytest.mark.slow
def test_cannot_change_facts(attacker: Connection) -> None:
    """By rights alone, before any trigger is asked."""
    attempts = [change for table in FACTS for change in changes(attacker, table)]

    assert obeyed(attacker, attempts) == []


def test_cannot_switch_guards_off(attacker: Connection) -> None:
    """Neither for its session nor for the table."""
    attempts = [
        "SET session_replication_role = replica",
        "SELECT set_config('session_replication_role', 'replica', false)",
        "ALTER TABLE payouts_transfer DISABLE TRIGGER ALL",
        "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_moves_money",
        "ALTER TABLE payouts_transfer OWNER TO CURRENT_USER",
        "ALTER TABLE payouts_casestep ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON payouts_casestep USING (true)",
        "CREATE RULE quiet AS ON INSERT TO payouts_casestep DO INSTEAD NOTHING",
        _TRIGGER,
        "DROP TABLE payouts_transfer",
        "DROP INDEX payouts_transfer_pkey",
        f"ALTER FUNCTION {FUNCTION} RESET ALL",
        f"ALTER FUNCTION {GUARD} RENAME TO other",
        f"DROP FUNCTION {FUNCTION}",
        _IGNORE,
        "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION public.max(date) RETURNS date LANGUAGE sql AS 'SELECT NULL::date'",
        "CREATE VIEW public.mine AS SELECT 1",
        "CREATE TABLE public.mine ()",
        "CREATE TABLE public.mine PARTITION OF payouts_transfer DEFAULT",
        "CREATE SCHEMA mine",
        "CREATE EXTENSION IF NOT EXISTS dblink",
        "SELECT trail_guard_partition('rounds_bet', 'rounds_bet_other')",
        "SELECT setval('trail_batch', 1)",
        "ALTER SEQUENCE rounds_arrival RESTART",
    ]

    assert obeyed(attacker, attempts) == []


def test_cannot_become_another(attacker: Connection, role: DatabaseRole) -> None:
    """Nor make itself a better role, nor leave settings behind for others."""
    others = [role_name(other) for other in ROLES if other is not role]
    me = role_name(role)
    attempts = [
        *(f"SET ROLE {other}" for other in (*others, "sabot", "pg_write_all_data")),
        *(f"SET SESSION AUTHORIZATION {other}" for other in (*others, "sabot")),
        *(f"GRANT {other} TO {me}" for other in (*others, "sabot", "pg_execute_server_program")),
        *(f"ALTER ROLE {other} PASSWORD 'mine'" for other in (*others, "sabot")),
        *(f"ALTER ROLE {me} {better}" for better in ("SUPERUSER", "CREATEROLE", "BYPASSRLS")),
        f"ALTER ROLE {me} SET session_replication_role = replica",
        "CREATE ROLE mine SUPERUSER",
        f"ALTER DEFAULT PRIVILEGES FOR ROLE sabot GRANT ALL ON TABLES TO {me}",
        f"ALTER ROLE {others[0]} SET search_path = pg_temp",
        "ALTER SYSTEM SET session_replication_role = replica",
        "SELECT pg_reload_conf()",
    ]

    assert obeyed(attacker, attempts) == []


def test_cannot_give_itself_rights(attacker: Connection, role: DatabaseRole) -> None:
    """A GRANT without the right to grant changes nothing, which PostgreSQL may only warn of."""
    tables = ("payouts_transfer", "payouts_settlement", "auth_group_permissions")
    rights = "INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER"
    for table in tables:
        refusal(attacker, f"GRANT ALL ON {table} TO {role_name(role)}")
        has = attacker.execute(
            "SELECT has_table_privilege(%s, 'UPDATE, DELETE, TRUNCATE')", [table]
        )
        assert has.fetchone() == (False,), f"{rights} on {table}"


def test_cannot_reach_the_machine(attacker: Connection) -> None:
    """Programs, files and the connections of others."""
    attempts = [
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY payouts_transfer FROM PROGRAM 'true'",
        "COPY (SELECT 1) TO '/dev/null'",
        "COPY payouts_case FROM '/dev/null'",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT pg_ls_dir('.')",
        "SELECT lo_import('/dev/null')",
        "SELECT * FROM pg_authid",
        "CREATE SUBSCRIPTION mine CONNECTION '' PUBLICATION other",
        "SELECT pg_create_physical_replication_slot('mine')",
    ]

    assert obeyed(attacker, attempts) == []
    owners = "SELECT pid FROM pg_stat_activity WHERE usename = 'sabot' LIMIT 1"
    assert refusal(attacker, f"SELECT pg_terminate_backend(({owners}))") == "42501"
