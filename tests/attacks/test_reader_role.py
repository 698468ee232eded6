"""The role of replica, reports and regulator reads, and reads no accounts or sessions."""

from collections.abc import Callable

from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.managed_models import managed_models
from tests.attacks.attempts import Connection, changes, inserts, obeyed

SECRETS = [
    "auth_user",
    "casino_opensession",
    "mfa_authenticator",
    "casino_loginfailure",
    "api_givenanswer",
]


def test_writes_nothing(connect: Callable[[DatabaseRole], Connection]) -> None:
    """Not a row of any table."""
    reader = connect(DatabaseRole.READER)
    tables = sorted(model._meta.db_table for model in managed_models())
    attempts = [statement for table in tables for statement in changes(reader, table)]

    assert obeyed(reader, [*attempts, *map(inserts, tables)]) == []


def test_reads_no_secrets(connect: Callable[[DatabaseRole], Connection]) -> None:
    """Passwords, second factors, sessions, answers to programs."""
    reader = connect(DatabaseRole.READER)

    assert obeyed(reader, [f"SELECT FROM {table}" for table in SECRETS]) == []


def test_reads_the_books(connect: Callable[[DatabaseRole], Connection]) -> None:
    """So that the refusals above are not for want of a connection."""
    reader = connect(DatabaseRole.READER)

    assert reader.execute("SELECT count(*) > 0 FROM payouts_transfer").fetchone() == (True,)
