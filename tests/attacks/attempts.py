"""What attackers try with a connection to the database, and what they are answered."""

from typing import Any, Final, TypeAlias

import psycopg
from django.apps import apps
from psycopg import sql

from compliance.storage.append_only import is_append_only

DENIED: Final = psycopg.errors.InsufficientPrivilege.sqlstate
Connection: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

FACTS: Final = sorted(model._meta.db_table for model in apps.get_models() if is_append_only(model))
"""The append-only tables."""
MONEY: Final = (
    "payouts_settlement",
    "payouts_betsettlement",
    "payouts_transfer",
    "payouts_account",
    "payouts_payover",
    "payouts_goodwillcredit",
    "payouts_dailyrounds",
    "payouts_dailybets",
    "rounds_validation",
    "rounds_storedruling",
)
"""The tables of money and of verdicts that lead to it."""


def refusal(connection: Connection, statement: str) -> str:
    """The SQLSTATE with which PostgreSQL refuses a statement; empty if it obeys."""
    try:
        connection.execute(statement.encode())
    except psycopg.Error as error:
        return str(error.sqlstate)
    return ""


def obeyed(connection: Connection, statements: list[str]) -> list[str]:
    """Those of the statements that PostgreSQL does not refuse for want of rights."""
    return [statement for statement in statements if refusal(connection, statement) != DENIED]


def inserts(table: str) -> str:
    """Inserts a row; rights are checked before its values."""
    return f"INSERT INTO {table} DEFAULT VALUES"


def changes(connection: Connection, table: str) -> list[str]:
    """Every way of changing or removing rows of a table."""
    column = sql.Identifier(_first_column(connection, table)).as_string(connection)
    return [
        f"UPDATE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
        f"TRUNCATE {table}",
        f"TRUNCATE {table} CASCADE",
        f"MERGE INTO {table} AS old USING (VALUES (1)) AS new (x) ON true WHEN MATCHED THEN DELETE",
    ]


def _first_column(connection: Connection, table: str) -> str:
    name = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum = 1", [table]
    ).fetchone()
    assert name is not None
    return str(name[0])
