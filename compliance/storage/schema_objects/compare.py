"""Comparison of the triggers, functions and constraints in the database with those of the code."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from django.db import Error, connection, transaction

from compliance.storage.schema_objects.constraints import (
    declared_constraints,
    installed_constraints,
)
from compliance.storage.schema_objects.declared import (
    SEARCH_PATH,
    Function,
    Trigger,
    declared_functions,
    declared_triggers,
)
from compliance.storage.schema_objects.installed import (
    Installed,
    InstalledFunction,
    InstalledTrigger,
    read_installed,
)

_DEFINITION: Final = re.compile(
    r"CREATE TRIGGER \S+ (?P<fires>\w+ .+?) ON \S+ (?P<sees>REFERENCING .+? )?"
    r"FOR EACH (?P<level>\w+) (?:WHEN \((?P<condition>.*)\) )?EXECUTE FUNCTION \S+$",
    re.DOTALL,
)
_ENABLED: Final = {"D": "disabled", "R": "only on a replica", "A": "always"}
_ROLE_SETTINGS: Final = """
    SELECT coalesce(datname, 'every database'), coalesce(rolname, 'every role'), setting
      FROM pg_db_role_setting
      LEFT JOIN pg_database ON pg_database.oid = setdatabase
      LEFT JOIN pg_roles ON pg_roles.oid = setrole
     CROSS JOIN unnest(setconfig) AS setting
     WHERE (setdatabase = 0 OR datname = current_database())
       AND setting LIKE 'session_replication_role=%%'
"""


class Difference(NamedTuple):
    """A trigger, function, constraint or right that differs from the code."""

    item: str
    found: str
    needed: str

    def __str__(self) -> str:
        return f"{self.item}: found {self.found}; needed {self.needed}"


def schema_object_differences() -> list[Difference]:
    """All differences. Reads only."""
    installed = read_installed()
    return [
        *_of_tables(installed),
        *_of_triggers(installed),
        *_of_functions(installed),
        *_of_constraints(),
        *_of_settings(),
    ]


def count_schema_objects() -> int:
    """The number of triggers, functions and constraints that the code declares."""
    return len(declared_triggers()) + len(declared_functions()) + len(declared_constraints())


def _of_tables(installed: Installed) -> Iterator[Difference]:
    owner = installed.owners.get("django_migrations", "")
    for table, found in sorted(installed.owners.items()):
        if found != owner:
            yield Difference(f"table {table}", f"the owner {found}", owner)
    for table, name in installed.rules:
        yield Difference(f"rule {name} on {table}", "a rule", "none")
    for table in installed.with_policies:
        yield Difference(f"row security of {table}", "policies", "none")
    for table, name in installed.disabled:
        yield Difference(f"foreign key {name} of {table}", "its triggers disabled", "enabled")


def _of_triggers(installed: Installed) -> Iterator[Difference]:
    found = {(trigger.table, trigger.name): trigger for trigger in installed.triggers}
    needed: dict[tuple[str, str], Trigger] = {}
    for table, parent in installed.tables.items():
        needed |= {
            (table, name): trigger
            for (of, name), trigger in declared_triggers().items()
            if of == parent and (table == parent or trigger.is_on_every_part)
        }
    needed |= {key: trigger for key, trigger in declared_triggers().items() if key not in needed}
    for key in sorted(found.keys() | needed.keys()):
        item = f"trigger {key[1]} on {key[0]}"
        if key not in found:
            yield Difference(item, "nothing", "the trigger")
        elif key not in needed:
            yield Difference(item, "a trigger that the code does not know", "none")
        else:
            yield from _of_trigger(item, found[key], needed[key])


def _of_trigger(item: str, found: InstalledTrigger, needed: Trigger) -> Iterator[Difference]:
    if found.enabled != "O":
        yield Difference(item, f"it {_ENABLED.get(found.enabled, found.enabled)}", "enabled")
    if found.function != needed.name:
        yield Difference(item, f"the function {found.function}", needed.name)
    match = _DEFINITION.match(found.definition)
    installed_definition = match and (match["fires"], (match["sees"] or "").strip(), match["level"])
    if match is None or installed_definition != (needed.fires, needed.sees, needed.level):
        words = f"{needed.fires} {needed.sees} FOR EACH {needed.level}"
        yield Difference(item, found.definition, words)
    elif not _is_same_condition(needed.table, match["condition"] or "", needed.condition):
        yield Difference(item, f"WHEN ({match['condition']})", f"WHEN {needed.condition or '—'}")


def _is_same_condition(table: str, found: str, needed: str) -> bool:
    """Whether PostgreSQL plans two conditions alike; it stores them reformatted."""
    if found == needed:
        return True
    plan = _plan(table, found or "true")
    return plan is not None and plan == _plan(table, needed or "true")


def _plan(table: str, condition: str) -> list[str] | None:
    row = f"jsonb_populate_record(NULL::{table}, '{{}}')"  # needs no right on the table
    explain = f"EXPLAIN (COSTS OFF, VERBOSE) SELECT FROM {row} AS new WHERE {condition}"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(explain)
            return [str(line) for (line,) in cursor.fetchall()]
    except Error:
        return None


def _of_functions(installed: Installed) -> Iterator[Difference]:
    owner = installed.owners.get("django_migrations", "")
    needed, seen = declared_functions(), set()
    for function in sorted(installed.functions):
        item = f"function {function.name}"
        if function.name in seen and function.name in needed:
            yield Difference(item, "another of this name", "one")
        elif function.name in needed:
            yield from _of_function(item, function, needed[function.name], owner)
        elif function.has_owners_rights:
            yield Difference(item, "SECURITY DEFINER that the code does not know", "none")
        seen.add(function.name)
    for name in sorted(needed.keys() - seen):
        yield Difference(f"function {name}", "nothing", "the function")


def _of_function(
    item: str, found: InstalledFunction, needed: Function, owner: str
) -> Iterator[Difference]:
    if (found.source, found.language) != (needed.source, needed.language):
        yield Difference(item, "another text", "that of the code")
    if found.has_owners_rights != needed.has_owners_rights:
        rights = {True: "SECURITY DEFINER", False: "SECURITY INVOKER"}
        yield Difference(item, rights[found.has_owners_rights], rights[needed.has_owners_rights])
    settings = needed.settings | {f"search_path={SEARCH_PATH}"}
    if set(map(str.lower, found.settings)) != set(map(str.lower, settings)):
        yield Difference(item, _listed(found.settings), _listed(settings))
    if found.owner != owner:
        yield Difference(item, f"the owner {found.owner}", owner)


def _of_constraints() -> Iterator[Difference]:
    """What is missing, or has another condition. Further constraints let nothing wrong in."""
    found: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for constraint in installed_constraints():
        found[constraint[:-1]].append(constraint.condition)
    for needed in declared_constraints():
        conditions = found[needed[:-1]]
        if not any(_is_same_condition(needed.table, has, needed.condition) for has in conditions):
            condition = f"the constraint {needed.condition}".rstrip()
            yield Difference(needed.item, ", ".join(conditions) or "nothing", condition)


def _of_settings() -> Iterator[Difference]:
    with connection.cursor() as cursor:
        cursor.execute(_ROLE_SETTINGS)
        for database, role, setting in cursor.fetchall():
            yield Difference(f"setting of {role} in {database}", setting, "none")


def _listed(settings: Iterable[str]) -> str:
    return ", ".join(f"SET {setting}" for setting in sorted(settings)) or "no setting"
