"""The rights of the database role of web and workers.

The owner of the tables only migrates. The application's role has no UPDATE, DELETE or TRUNCATE on
append-only tables, in addition to their triggers; it owns nothing, so it cannot disable triggers.
"""

from collections.abc import Iterator
from typing import Final

import pgtrigger
from django.apps import apps
from django.db import connection
from django.db.models import Model
from psycopg import sql

_OURS: Final = frozenset(
    {"rounds", "payouts", "trail", "exports", "certification", "api", "signatures"}
)
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
"""Tables whose rows are deleted when the work is done, or after a time."""

_ADD: Final = ("SELECT", "INSERT")
_CHANGE: Final = (*_ADD, "UPDATE")
_ALL: Final = (*_CHANGE, "DELETE")
FUNCTIONS: Final = frozenset({"trail_make_partition"})
"""The functions that the application may call with the rights of the owner: new partitions."""
_SCHEMA: Final = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "GRANT SELECT ON django_migrations TO {role}",
    "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM {role}",
    *(f"GRANT EXECUTE ON FUNCTION {name} TO {{role}}" for name in FUNCTIONS),
)


def rights_on(model: type[Model]) -> tuple[str, ...]:
    """The rights that the application needs on the table of a model."""
    if is_append_only(model):
        return _ADD
    if model._meta.app_label not in _OURS or model._meta.db_table in _WORK_LISTS:
        return _ALL
    return _CHANGE


def is_append_only(model: type[Model]) -> bool:
    """Whether a trigger rejects DELETE on the model's table."""
    triggers = getattr(model._meta, "triggers", ())
    return any(
        isinstance(trigger, pgtrigger.Protect) and trigger.operation == pgtrigger.Delete
        for trigger in triggers
    )


def grant_to(role: str) -> None:
    """Grants a role what the application needs, and revokes all other rights.

    Run it as the owner of the tables, after each migration. Raises ProgrammingError if there is no
    such role.
    """
    with connection.cursor() as cursor:
        for statement in _statements(role):
            cursor.execute(statement)


def make_role(role: str) -> None:
    """Creates a role that may log in, if there is none with this name."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            cursor.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))


def _statements(role: str) -> Iterator[sql.Composed]:
    name = sql.Identifier(role)
    for statement in _SCHEMA:
        yield sql.SQL(statement).format(role=name)
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            yield sql.SQL("GRANT {rights} ON {table} TO {role}").format(
                rights=sql.SQL(", ").join(map(sql.SQL, rights_on(model))),
                table=sql.Identifier(model._meta.db_table),
                role=name,
            )
