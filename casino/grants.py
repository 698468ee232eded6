"""What the database role of web and workers may do: add to what happened, and never change it.

The owner of the tables migrates and nothing else. The application's role has no UPDATE, DELETE or
TRUNCATE on tables that are only ever added to, beside the triggers that refuse it to everybody; it
owns nothing, so it cannot switch the triggers off.
"""

from collections.abc import Iterator
from typing import Final

import pgtrigger
from django.apps import apps
from django.db import connection
from django.db.models import Model
from psycopg import sql

_OURS: Final = frozenset({"rounds", "payouts", "trail", "exports", "certification", "api"})
_WORK_LISTS: Final = frozenset(
    {
        "api_givenanswer",
        "api_spentrate",
        "payouts_casework",
        "payouts_feedchunk",
        "rounds_openconflict",
        "rounds_openquarantine",
        "rounds_queuedround",
        "trail_pendingbatch",
        "trail_pendingrow",
    }
)
"""Rows are taken off when the work is done, or after a time; what was done stands elsewhere."""

_ADD: Final = ("SELECT", "INSERT")
_CHANGE: Final = (*_ADD, "UPDATE")
_ALL: Final = (*_CHANGE, "DELETE")
_SCHEMA: Final = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "GRANT SELECT ON django_migrations TO {role}",
    "GRANT EXECUTE ON FUNCTION trail_guard_partition, trail_make_partition TO {role}",
)


def rights_on(model: type[Model]) -> tuple[str, ...]:
    """What the application does to the rows of a model."""
    if is_append_only(model):
        return _ADD
    if model._meta.app_label not in _OURS or model._meta.db_table in _WORK_LISTS:  # noqa: SLF001
        return _ALL
    return _CHANGE


def is_append_only(model: type[Model]) -> bool:
    """Whether a trigger refuses to take rows from its table."""
    triggers = getattr(model._meta, "triggers", ())  # noqa: SLF001  Django documents _meta
    return any(
        isinstance(one, pgtrigger.Protect) and one.operation == pgtrigger.Delete for one in triggers
    )


def grant_to(role: str) -> None:
    """Gives a role of the database what the application needs, and takes whatever else it had.

    To be run by the owner of the tables, after each migration; ProgrammingError when there is no
    such role.
    """
    with connection.cursor() as cursor:
        for statement in _statements(role):
            cursor.execute(statement)


def make_role(role: str) -> None:
    """Makes a role that may log in and nothing else, unless there is one of this name."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            cursor.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))


def _statements(role: str) -> Iterator[sql.Composed]:
    name = sql.Identifier(role)
    for statement in _SCHEMA:
        yield sql.SQL(statement).format(role=name)
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:  # noqa: SLF001
            yield sql.SQL("GRANT {rights} ON {table} TO {role}").format(
                rights=sql.SQL(", ").join(map(sql.SQL, rights_on(model))),
                table=sql.Identifier(model._meta.db_table),  # noqa: SLF001
                role=name,
            )
