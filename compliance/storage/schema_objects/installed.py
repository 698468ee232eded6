"""The triggers and functions that the database has, from its catalog."""

from typing import Any, Final, NamedTuple

from django.db import connection

from compliance.storage.managed_models import managed_models

_TABLES: Final = """
    SELECT part.relname, coalesce(whole.relname, part.relname)
      FROM pg_class AS part
      LEFT JOIN pg_inherits ON inhrelid = part.oid
      LEFT JOIN pg_class AS whole ON whole.oid = inhparent
     WHERE part.relnamespace = 'public'::regnamespace AND part.relkind IN ('r', 'p')
       AND coalesce(whole.relname, part.relname) = ANY(%s)
"""
_TRIGGERS: Final = """
    SELECT relname, tgname, tgenabled, proname, pg_get_triggerdef(pg_trigger.oid)
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s) AND NOT tgisinternal
"""
_DISABLED: Final = """
    SELECT relname, conname
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      JOIN pg_constraint ON pg_constraint.oid = tgconstraint
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s)
       AND tgisinternal AND tgenabled <> 'O'
     GROUP BY relname, conname
"""
_RULES: Final = """
    SELECT tablename, rulename FROM pg_rules WHERE schemaname = 'public' AND tablename = ANY(%s)
"""
_POLICIES: Final = """
    SELECT relname FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s)
       AND (relrowsecurity OR EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid))
"""
_FUNCTIONS: Final = """
    SELECT proname, prosrc, lanname, prosecdef, coalesce(proconfig, '{}'),
           pg_get_userbyid(proowner)
      FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
     WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
       AND NOT EXISTS (SELECT FROM pg_depend
                        WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
                          AND deptype = 'e')
"""
_OWNERS: Final = """
    SELECT relname, pg_get_userbyid(relowner) FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s)
"""


class InstalledTrigger(NamedTuple):
    """A trigger as installed."""

    table: str
    name: str
    enabled: str
    """pg_trigger.tgenabled. ``O`` is right; D is disabled, R and A depend on the session."""
    function: str
    definition: str


class InstalledFunction(NamedTuple):
    """A function as installed."""

    name: str
    source: str
    language: str
    has_owners_rights: bool
    settings: list[str]
    owner: str


class Installed(NamedTuple):
    """The triggers and functions of the tables of all models and their partitions."""

    tables: dict[str, str]
    """Each table with the one that it is a partition of, else with itself."""
    triggers: list[InstalledTrigger]
    functions: list[InstalledFunction]
    disabled: list[tuple[str, str]]
    """Foreign keys whose triggers are disabled, with their tables."""
    rules: list[tuple[str, str]]
    with_policies: list[str]
    """Tables that show each role other rows."""
    owners: dict[str, str]


def read_installed() -> Installed:
    """Reads the catalog, which needs no special rights."""
    names = [model._meta.db_table for model in managed_models()]
    tables = dict(_rows(_TABLES, [*names, "django_migrations"]))
    table_names = list(tables)
    return Installed(
        tables,
        [InstalledTrigger(*row) for row in _rows(_TRIGGERS, table_names)],
        [InstalledFunction(*row) for row in _rows(_FUNCTIONS)],
        sorted(_rows(_DISABLED, table_names)),
        sorted(_rows(_RULES, table_names)),
        sorted(table for (table,) in _rows(_POLICIES, table_names)),
        dict(_rows(_OWNERS, table_names)),
    )


def _rows(query: str, *values: list[str]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())
