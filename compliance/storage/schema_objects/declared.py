"""The triggers and functions that the code declares, in models and migrations.

A trigger is what its model compiles to; a function is its last definition in a migration.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import pgtrigger
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import RunSQL, SeparateDatabaseAndState
from django.db.migrations.operations.base import Operation

SEARCH_PATH: Final = "public, pg_temp"
"""The search path of every function of ours. PostgreSQL searches pg_catalog before it; temporary
objects of the caller come last."""
IGNORES_NOTHING: Final = f"""
    CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name)
    RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = {SEARCH_PATH} AS $$ SELECT false $$
"""
"""Replaces the function of django-pgtrigger, which lets ``SET pgtrigger.ignore`` skip triggers."""

_STATEMENT: Final = re.compile(
    r"DROP FUNCTION (?:IF EXISTS )?(?P<dropped>\w+)\("
    r"|CREATE (?:OR REPLACE )?FUNCTION (?:public\.)?(?P<name>\w+)\s*\([^)]*\)\s*RETURNS .*?"
    r"LANGUAGE (?P<language>\w+)(?P<options>.*?) AS \$\$(?P<source>.*?)\$\$",
    re.DOTALL,
)
_TRIGGER_SOURCE: Final = re.compile(r"RETURNS TRIGGER AS \$\$(?P<source>.*?)\$\$", re.DOTALL)
_OPERATIONS: Final = ("INSERT", "DELETE", "UPDATE", "TRUNCATE")
_SETTING: Final = re.compile(r"SET (\w+) = '?([^'\s]+)'?")


class Function(NamedTuple):
    """A function as declared."""

    name: str
    source: str
    language: str
    has_owners_rights: bool
    """SECURITY DEFINER."""
    settings: frozenset[str]
    """As PostgreSQL stores them, without the search path."""


class Trigger(NamedTuple):
    """A trigger as declared, named like its function, in the words of pg_get_triggerdef."""

    table: str
    name: str
    fires: str
    """For example BEFORE UPDATE."""
    sees: str
    """REFERENCING …; empty if it names no rows."""
    level: str
    condition: str
    """An expression over ``new``; empty if there is none."""

    @property
    def is_on_every_part(self) -> bool:
        """Whether each partition of a table has the trigger too."""
        return self.level == "ROW" or self.fires.endswith("TRUNCATE")


@cache
def declared_triggers() -> dict[tuple[str, str], Trigger]:
    """Every trigger of a model, by its table and its name."""
    triggers = [_trigger(compiled) for compiled in _compiled()]
    return {(trigger.table, trigger.name): trigger for trigger in triggers}


@cache
def declared_functions() -> dict[str, Function]:
    """Every function, by its name."""
    functions: dict[str, Function] = {}
    for sql in [*sql_of_migrations(), IGNORES_NOTHING]:
        for match in _STATEMENT.finditer(sql):
            if match["dropped"]:
                functions.pop(match["dropped"], None)
            else:
                functions[match["name"]] = _function(match)
    for compiled in _compiled():
        source = _TRIGGER_SOURCE.search(compiled.install_sql)
        if source is not None:
            name = compiled.sql.pgid
            functions[name] = Function(name, source["source"], "plpgsql", False, frozenset())
    return functions


def _compiled() -> Iterator[Any]:
    """The triggers of all models as django-pgtrigger (untyped) would install them."""
    for model, trigger in pgtrigger.registered():
        yield trigger.compile(model)


def _trigger(compiled: Any) -> Trigger:
    sql = compiled.sql
    values: dict[str, str] = {**sql.defaults, **sql.kwargs}
    condition = values["condition"].removeprefix("WHEN ").replace("NEW.", "new.")
    return Trigger(
        sql.table,
        sql.pgid,
        f"{values['when']} {_in_order(values['operation'])}",
        values["referencing"].strip(),
        values["level"],
        condition,
    )


def _in_order(operation: str) -> str:
    """The operations of a trigger in PostgreSQL's order."""
    named = {part.split()[0]: part for part in operation.split(" OR ")}
    return " OR ".join(named[operation] for operation in _OPERATIONS if operation in named)


def _function(match: "re.Match[str]") -> Function:
    options = match["options"]
    settings = {f"{name}={value}" for name, value in _SETTING.findall(options)}
    return Function(
        match["name"],
        match["source"],
        match["language"],
        "SECURITY DEFINER" in options,
        frozenset(setting for setting in settings if not setting.startswith("search_path=")),
    )


@cache
def sql_of_migrations() -> tuple[str, ...]:
    """The SQL texts of all migrations, in the order of migrating."""
    graph = MigrationLoader(None, ignore_no_migrations=True).graph
    seen: dict[tuple[str, str], None] = {}
    for leaf in sorted(graph.leaf_nodes()):
        seen |= dict.fromkeys(graph.forwards_plan(leaf))
    return tuple(sql for node in seen for sql in _sql_of(graph.nodes[node].operations))


def _sql_of(operations: Sequence[Operation]) -> Iterator[str]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _sql_of(operation.database_operations)
        elif isinstance(operation, RunSQL):
            yield from (
                [operation.sql] if isinstance(operation.sql, str) else map(str, operation.sql)
            )
