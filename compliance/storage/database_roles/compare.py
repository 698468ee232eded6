"""Comparison of the rights in the database with the declared ones."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from django.db import connection

from compliance.storage.database_roles.rights import named_sequences, owner_functions, rights_of
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from compliance.storage.managed_models import managed_models
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
     UNION
    SELECT coalesce(rolname, 'PUBLIC'), 'CREATE in the database'
      FROM pg_database
     CROSS JOIN LATERAL aclexplode(datacl) AS acl
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE datname = current_database() AND privilege_type = 'CREATE' AND grantee <> datdba
     UNION
    SELECT coalesce(rolname, 'PUBLIC'), privilege_type || ' on what is made in the future'
      FROM pg_default_acl
     CROSS JOIN LATERAL aclexplode(defaclacl) AS acl
      LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE defaclrole IN (SELECT relowner FROM granted) AND grantee <> defaclrole
     UNION
    SELECT rolname, attribute
      FROM pg_roles
     CROSS JOIN LATERAL (VALUES (rolsuper, 'SUPERUSER'), (rolcreaterole, 'CREATEROLE'),
                                (rolcreatedb, 'CREATEDB'), (rolreplication, 'REPLICATION'),
                                (rolbypassrls, 'BYPASSRLS')) AS has (it, attribute)
     WHERE it AND rolname = ANY(%(roles)s)
     UNION
    SELECT pg_get_userbyid(member), 'those of the role ' || pg_get_userbyid(roleid)
      FROM pg_auth_members WHERE pg_get_userbyid(member) = ANY(%(roles)s)
     ORDER BY 1, 2
"""
_OF_OWNER: Final = frozenset({"trail_guard_partition"})
"""Functions that only the owner may call: this one replaces triggers."""


def grant_differences() -> list[Difference]:
    """Every right that differs from the declared ones, of anybody but the owner of the tables.

    A role that is not declared may read what the reader may. Rights that are missing count where a
    declared role has any at all.
    """
    return [*_on_tables(), *_on_functions(), *_of_roles()]


def _on_tables() -> Iterator[Difference]:
    roles = _declared_roles()
    tables = {model._meta.db_table for model in managed_models()}
    granted: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for table, whole, kind, role, right in _rows(_ON_TABLES):
        granted[role].add((table, right))
        if kind == "S":
            allowed = _on_sequence(roles.get(role), table)
        elif whole in tables or whole == "django_migrations":
            allowed = _on_table(roles.get(role), whole)
        else:
            allowed = (right,)  # not ours
        if right not in allowed or role == "PUBLIC":
            yield Difference(f"rights of {role} on {table}", right, ", ".join(allowed) or "none")
    for name, role in roles.items():
        for table in sorted(tables) if name in granted else ():
            for right in rights_of(role, table):
                if (table, right) not in granted[name]:
                    yield Difference(f"rights of {name} on {table}", "none", right)


def _on_table(role: DatabaseRole | None, table: str) -> tuple[str, ...]:
    if table == "django_migrations":
        return ("SELECT",)
    return rights_of(role or DatabaseRole.READER, table)


def _on_sequence(role: DatabaseRole | None, sequence: str) -> tuple[str, ...]:
    if role is None:
        return ("SELECT",)
    is_used = "INSERT" in rights_of(role, named_sequences().get(sequence, ""))
    return ("USAGE",) if is_used else ()


def _on_functions() -> Iterator[Difference]:
    roles = _declared_roles()
    for name, has_owners_rights, role in _rows(_ON_FUNCTIONS):
        is_guarded = has_owners_rights or name in _OF_OWNER
        if is_guarded and roles.get(role) not in owner_functions().get(name, frozenset()):
            yield Difference(f"rights of {role} on function {name}", "EXECUTE", "none")


def _of_roles() -> Iterator[Difference]:
    for role, right in _rows(_ROLES, roles=list(_declared_roles())):
        yield Difference(f"rights of {role}", right, "none")


def _declared_roles() -> Mapping[str, DatabaseRole]:
    return {role_name(role): role for role in ROLES}


def _rows(query: str, **values: list[str]) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall())
