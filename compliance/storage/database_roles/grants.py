"""Granting the roles of the database the rights that the applications declare."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from django.db import connection
from psycopg import sql

from compliance.storage.database_roles.rights import named_sequences, owner_functions, rights_of
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from compliance.storage.managed_models import managed_models

_NOTHING: Final = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {role}",
    "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM {role}",
    "REVOKE ALL ON SCHEMA public FROM {role}",
)
_CAN_LOG_IN_ONLY: Final = (
    "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT"
)


def grant_database_roles() -> None:
    """Grants each role what it needs, and revokes all of its other rights.

    Run it as the owner of the tables, after each migration. Raises ProgrammingError if there is no
    role of a name.
    """
    with connection.cursor() as cursor:
        cursor.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        for role in ROLES:
            for statement in (*_revocations(role_name(role)), *_grants(role)):
                cursor.execute(statement)


def make_database_roles() -> None:
    """Creates each role, which may log in and has no password, if there is none of its name."""
    with connection.cursor() as cursor:
        for role in ROLES:
            name = role_name(role)
            cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [name])
            if cursor.fetchone() is None:
                create = sql.SQL("CREATE ROLE {} " + _CAN_LOG_IN_ONLY)
                cursor.execute(create.format(sql.Identifier(name)))


def revoke_all_from(role: str) -> None:
    """Revokes all rights that a role has in this database. One that does not exist has none."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is not None:
            for statement in _revocations(role):
                cursor.execute(statement)


def _revocations(role: str) -> Iterator[sql.Composed]:
    for statement in _NOTHING:
        yield sql.SQL(statement).format(role=sql.Identifier(role))


def _grants(role: DatabaseRole) -> Iterator[sql.Composed]:
    yield _grant(["USAGE"], "SCHEMA", ["public"], role)
    yield _grant(["SELECT"], "TABLE", ["django_migrations"], role)
    by_rights: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for model in managed_models():
        by_rights[rights_of(role, model._meta.db_table)].append(model._meta.db_table)
    for rights, tables in by_rights.items():
        if rights:
            yield _grant(rights, "TABLE", tables, role)
    for sequence, table in named_sequences().items():
        if "INSERT" in rights_of(role, table):
            yield _grant(["USAGE"], "SEQUENCE", [sequence], role)
    for function, callers in owner_functions().items():
        if role in callers:
            yield _grant(["EXECUTE"], "FUNCTION", [function], role)


def _grant(
    rights: Iterable[str], kind: str, names: Iterable[str], role: DatabaseRole
) -> sql.Composed:
    return sql.SQL("GRANT {rights} ON {kind} {names} TO {role}").format(
        rights=sql.SQL(", ").join(map(sql.SQL, rights)),
        kind=sql.SQL(kind),
        names=sql.SQL(", ").join(map(sql.Identifier, names)),
        role=sql.Identifier(role_name(role)),
    )
