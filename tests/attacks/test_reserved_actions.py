"""An audit record that proves something is written only by roles that may do what it proves."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final
from uuid import uuid4

import pgtrigger
import psycopg
import pytest

from casino.access.models.roles import ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST
from compliance.storage.database_roles.rights import rights_of
from compliance.storage.database_roles.role import DatabaseRole
from payouts.carried_forward.detached_months import DETACHED, RESTORED, WRITTEN
from payouts.ledger.models.money_record import BOOK_ACTIONS, MONEY_ACTIONS
from tests.attacks.attempts import Connection

RESERVED: Final[Mapping[str, Collection[DatabaseRole]]] = {
    **dict.fromkeys(MONEY_ACTIONS + BOOK_ACTIONS, (DatabaseRole.WORKER,)),
    **dict.fromkeys((ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST, DETACHED, RESTORED), ()),
    WRITTEN: (DatabaseRole.EXPORTER,),
}
"""The roles that may record each, besides the owner of the tables."""
OTHER: Final = "PAGE_VIEWED"
"""An action that each of them may record."""
RECORDERS: Final = [
    role for role in DatabaseRole if "INSERT" in rights_of(role, "trail_auditrecord")
]
_COLUMNS: Final = "at, actor, subject, details, leaf, id, action"


@pytest.mark.parametrize("role", RECORDERS)
def test_is_recorded_by_no_other_role(
    connect: Callable[[DatabaseRole], Connection], role: DatabaseRole
) -> None:
    """Neither by INSERT nor by COPY."""
    attacker = connect(role)
    permitted = [OTHER, *(action for action, roles in RESERVED.items() if role in roles)]

    for record in (insert_record, copy_record):
        recorded = [
            action for action in (OTHER, *RESERVED) if is_recorded(attacker, record, action)
        ]
        assert recorded == permitted


def test_the_list_is_complete() -> None:
    """It has each action that a trigger reserves."""
    conditions = [trigger.render_condition(model) for model, trigger in pgtrigger.registered()]
    listed = re.findall(r"NEW\.action IN \((.*?)\)", " ".join(conditions))

    assert {name.strip("'") for names in listed for name in names.split(", ")} == set(RESERVED)


def is_recorded(
    attacker: Connection, record: Callable[[Connection, str], None], action: str
) -> bool:
    """Whether the role may; nothing is left behind."""
    try:
        with attacker.transaction(force_rollback=True):
            record(attacker, action)
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True


def insert_record(attacker: Connection, action: str) -> None:
    """Inserts a copy of an audit record under another id and action."""
    attacker.execute(
        f"INSERT INTO trail_auditrecord ({_COLUMNS}) SELECT at, actor, subject, details, leaf,"
        f" gen_random_uuid(), '{action}' FROM trail_auditrecord LIMIT 1".encode()
    )


def copy_record(attacker: Connection, action: str) -> None:
    """Copies an audit record under another id and action."""
    [row] = attacker.execute(
        "SELECT at, actor, subject, details::text, leaf::text FROM trail_auditrecord LIMIT 1"
    ).fetchall()
    statement = f"COPY trail_auditrecord ({_COLUMNS}) FROM STDIN".encode()
    with attacker.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write_row([*row, uuid4(), action])
