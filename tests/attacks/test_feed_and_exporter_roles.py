"""What a feed host or an exporter that was taken over cannot write."""

from collections.abc import Callable

import pytest

from compliance.storage.database_roles.rights import rights_of
from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.managed_models import managed_models
from tests.attacks.attempts import Connection, changes, inserts, obeyed

OWN = {
    DatabaseRole.FEED: ("rounds_", "payouts_feed", "payouts_failingtask", "trail_"),
    DatabaseRole.EXPORTER: ("archive_", "exports_", "payouts_failingtask", "trail_"),
}
"""The beginnings of the tables that each writes."""


@pytest.mark.parametrize("role", OWN)
def test_writes_only_what_is_its_own(
    connect: Callable[[DatabaseRole], Connection], role: DatabaseRole
) -> None:
    """No money, no decision, no account of a person, no key of a program."""
    attacker = connect(role)
    tables = [model._meta.db_table for model in managed_models()]
    others = [table for table in tables if not table.startswith(OWN[role])]
    attempts = [statement for table in others for statement in changes(attacker, table)]

    assert obeyed(attacker, [*attempts, *map(inserts, others)]) == []


@pytest.mark.parametrize("role", OWN)
def test_removes_nothing_but_finished_work(
    connect: Callable[[DatabaseRole], Connection], role: DatabaseRole
) -> None:
    """Chunks of ingested files."""
    removable = [
        model._meta.db_table
        for model in managed_models()
        if "DELETE" in rights_of(role, model._meta.db_table)
    ]

    assert removable == (["payouts_feedchunk"] if role is DatabaseRole.FEED else [])
