"""What a SIEM host that was taken over cannot do: it reads the log and moves its cursor."""

from collections.abc import Callable

import pytest

from compliance.storage.database_roles.role import ROLES, DatabaseRole
from compliance.storage.managed_models import managed_models
from tests.attacks.attempts import Connection, changes, inserts, obeyed

Connect = Callable[[DatabaseRole], Connection]

CURSOR = "siem_siemcursor"
LOG = {
    "trail_auditrecord",
    "trail_auditbatch",
    "trail_loggedbatch",
    "trail_loggap",
    "trail_treehead",
}
TABLES = [model._meta.db_table for model in managed_models()]


def test_reads_the_log_and_nothing_else(connect: Connect) -> None:
    """No account, no round, no bet, no money, no signature."""
    siem = connect(DatabaseRole.SIEM)

    read = obeyed(siem, [f"SELECT FROM {table}" for table in TABLES])

    assert set(read) == {f"SELECT FROM {table}" for table in {*LOG, CURSOR}}


def test_writes_nothing_but_its_cursor(connect: Connect) -> None:
    """Above all no audit record; nor does it remove the cursor."""
    siem = connect(DatabaseRole.SIEM)
    others = [table for table in TABLES if table != CURSOR]
    attempts = [statement for table in others for statement in changes(siem, table)]
    of_cursor = [change for change in changes(siem, CURSOR) if not change.startswith("UPDATE")]

    assert obeyed(siem, [*attempts, *map(inserts, others), *of_cursor]) == []


def test_calls_no_function_with_more_rights(connect: Connect) -> None:
    """Nor uses a sequence."""
    siem = connect(DatabaseRole.SIEM)
    attempts = [
        "SELECT trail_make_partition('rounds_bet', 2031, 5)",
        "SELECT nextval('trail_batch')",
        "SELECT nextval('rounds_arrival')",
    ]

    assert obeyed(siem, attempts) == []


@pytest.mark.parametrize("role", [role for role in ROLES if role is not DatabaseRole.SIEM])
def test_nobody_else_moves_the_cursor(connect: Connect, role: DatabaseRole) -> None:
    """A web host could otherwise hide what it does from the SIEM."""
    other = connect(role)

    assert obeyed(other, [*changes(other, CURSOR), inserts(CURSOR)]) == []
    assert obeyed(other, [f"SELECT FROM {CURSOR}"]) != []
