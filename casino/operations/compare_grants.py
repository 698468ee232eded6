"""Comparison of database rights with those that the application needs."""

from collections.abc import Iterator
from typing import Final

from django.apps import apps
from django.db import connection

from casino.operations.grants import FUNCTIONS, rights_on
from compliance.storage.schema_objects.compare import Difference

_ON_TABLES: Final = """
    SELECT part.relname, coalesce(whole.relname, part.relname), part.relkind::text,
           coalesce(rolname, 'PUBLIC'), privilege_type
      FROM pg_class AS part
      LEFT JOIN pg_inherits ON inhrelid = part.oid
      LEFT JOIN pg_class AS whole ON whole.oid = inhparent
      LEFT JOIN LATERAL (
               SELECT attacl FROM pg_attribute WHERE attrelid = part.oid AND attacl IS NOT NULL
           ) AS by_column ON true
     CROSS JOIN LATERAL aclexplode(part.relacl || by_column.attacl) AS acl
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE part.relnamespace = 'public'::regnamespace AND part.relkind IN ('r', 'p', 'S')
       AND grantee <> part.relowner
     GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 4, 5
"""
_ON_FUNCTIONS: Final = """
    SELECT proname, prosecdef, coalesce(rolname, 'PUBLIC')
      FROM pg_proc
     CROSS JOIN LATERAL aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE pronamespace = 'public'::regnamespace AND grantee <> proowner
       AND NOT EXISTS (SELECT FROM pg_depend
                        WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
                          AND deptype = 'e')
     ORDER BY 1, 3
"""
_ROLES: Final = """
    WITH granted AS (
        SELECT DISTINCT grantee, relowner
          FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) AS acl
         WHERE relnamespace = 'public'::regnamespace AND grantee NOT IN (0, relowner)
    )
    SELECT rolname, 'that of the owner ' || pg_get_userbyid(relowner)
      FROM granted JOIN pg_roles ON pg_roles.oid = grantee
     WHERE pg_has_role(grantee, relowner, 'MEMBER')
     UNION
    SELECT coalesce(rolname, 'PUBLIC'), 'SET session_replication_role'
      FROM pg_parameter_acl
     CROSS JOIN LATERAL aclexplode(paracl) AS acl
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE parname = 'session_replication_role' AND NOT coalesce(rolsuper, false)
     UNION
    SELECT coalesce(rolname, 'PUBLIC'), 'CREATE in the schema public'
      FROM pg_namespace
     CROSS JOIN LATERAL aclexplode(nspacl) AS acl
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE nspname = 'public' AND privilege_type = 'CREATE' AND grantee <> nspowner
     ORDER BY 1, 2
"""
_OF_OWNER: Final = frozenset({"trail_guard_partition"})
"""Functions that only the owner may call: this one replaces triggers."""


def grant_differences() -> list[Difference]:
    """Every right that exceeds the needed ones, of anybody but the owner of the tables."""
    return [*_on_tables(), *_on_functions(), *_of_roles()]


def _on_tables() -> Iterator[Difference]:
    models = apps.get_models(include_auto_created=True)
    needed = {model._meta.db_table: rights_on(model) for model in models}
    needed["django_migrations"] = ("SELECT",)
    for table, whole, kind, role, right in _rows(_ON_TABLES):
        allowed = ("SELECT", "USAGE") if kind == "S" else needed.get(whole, (right,))
        if right not in allowed or role == "PUBLIC":
            yield Difference(f"rights of {role} on {table}", right, ", ".join(allowed))


def _on_functions() -> Iterator[Difference]:
    for name, has_owners_rights, role in _rows(_ON_FUNCTIONS):
        is_guarded = has_owners_rights or name in _OF_OWNER
        if is_guarded and (role == "PUBLIC" or name not in FUNCTIONS):
            yield Difference(f"rights of {role} on function {name}", "EXECUTE", "none")


def _of_roles() -> Iterator[Difference]:
    for role, right in _rows(_ROLES):
        yield Difference(f"rights of {role}", right, "none")


def _rows(query: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())
