"""Checks of the database: that it answers, and is as the code needs it."""

import pkgutil
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cache
from importlib.util import find_spec
from typing import Final

from django.apps import apps
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from casino.operations.checks.check_result import CheckResult, State, error, ok, warning
from compliance.storage.database_roles.compare import grant_differences
from compliance.storage.database_roles.role import ROLES, role_name
from compliance.storage.schema_objects.compare import Difference, schema_object_differences
from compliance.storage.sessions import is_pooled
from compliance.trail.sandbox import sandbox_differences
from payouts.integrity.stop_settlement import open_stops, stops_in_force
from payouts.integrity.verify_schema import schema_differences
from payouts.recheck.count_verified import recheck_figures
from rounds.rules.catalogue import RULE_SETS
from rounds.services.require_signed_rules import waiting_among

_OLDEST, _NEWEST = 15, 18
_WARNED: Final = timedelta(seconds=2)
_RECHECKED: Final = timedelta(minutes=10)
_WRONG: Final = timedelta(seconds=30)
"""Half the lifetime of a wake-up: with Valkey a worker drops those that are older by its clock."""
_MOST_NAMED: Final = 5


def database_answers() -> CheckResult:
    """It answers a query."""
    needed = "an answer"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as failure:
        todo = "start PostgreSQL, or correct DATABASE_URL"
        return error("no answer", needed, todo, detail=str(failure).strip())
    return ok(needed, needed)


def database_version() -> CheckResult:
    """It is one that Sabot was tested on."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int / 10000")
        [version] = cursor.fetchone()
    found, needed = f"PostgreSQL {version}", f"PostgreSQL {_OLDEST} to {_NEWEST}"
    if version < _OLDEST:
        return error(found, needed, "upgrade PostgreSQL")
    if version > _NEWEST:
        return warning(found, needed, "this version is not tested: use an earlier one")
    return ok(found, needed)


def pool_has_settings() -> CheckResult:
    """The sessions of a pool have the settings that a connection without one brings along."""
    if not is_pooled():
        return ok("no pool", "the settings of Sabot")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('jit'), current_setting('plan_cache_mode')")
        jit, plans = cursor.fetchone()
    found, needed = f"jit {jit}, {plans}", "jit off, force_generic_plan"
    if found != needed:
        return warning(found, needed, "set connect_query as deploy/pgbouncer/pgbouncer.ini does")
    return ok(found, needed)


def migrations_applied() -> CheckResult:
    """Every migration of the code is applied. Further ones, of a newer release, do no harm."""
    applied = MigrationRecorder(connection).applied_migrations()
    missing = sorted(_migrations() - applied.keys())
    if missing:
        named = ", ".join(f"{app}.{name}" for app, name in missing)
        found = f"{len(missing)} migrations that are not applied"
        return error(found, "none", "manage.py migrate, as the owner of the tables", detail=named)
    return ok("all applied", "all applied")


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    """Application and name of each migration, from the names of files: none is loaded."""
    return frozenset(_names_of_migrations())


def _names_of_migrations() -> Iterator[tuple[str, str]]:
    for config in apps.get_app_configs():
        package = find_spec(f"{config.name}.migrations")
        folders = package.submodule_search_locations if package is not None else None
        for module in pkgutil.iter_modules(folders or []):
            if module.name[0] not in "_~":
                yield config.label, module.name


def sandbox_matches() -> CheckResult:
    """The database is that of a sandbox where SANDBOX says so, and nowhere else."""
    kind = "that of a sandbox" if settings.SANDBOX else "that of a real casino"
    for _item, found, needed in sandbox_differences():
        return error(found, kind, f"{needed} (docs/administrator/sandbox.md)")
    return ok(kind, kind)


def schema_matches() -> CheckResult:
    """Triggers, functions, constraints and rights are those of the code.

    While hosts are upgraded one by one, those of the previous release go on: they find what a newer
    release has added. Workers still refuse to start on it.
    """
    result = _of_differences(schema_differences(), "manage.py verify_schema lists them")
    if result.state is State.ERROR and _is_of_newer_release():
        todo = "install the newer release on this host, too"
        found = f"{result.found}: the database is of a newer release"
        return warning(found, result.needed, todo, detail=result.detail)
    return result


def _is_of_newer_release() -> bool:
    """Whether migrations are applied that the code does not have, of its own applications."""
    ours = {config.label for config in apps.get_app_configs()}
    applied = MigrationRecorder(connection).applied_migrations().keys()
    return any(app in ours for app, _name in applied - _migrations())


def guards_match() -> CheckResult:
    """Triggers, functions and constraints are those of the code."""
    return _of_differences(
        schema_object_differences(), "repair them (docs/securing.md, The guards of the database)"
    )


def grants_match() -> CheckResult:
    """The rights of all roles are those of the code."""
    return _of_differences(
        grant_differences(), "manage.py grant_database_roles, as the owner of the tables"
    )


def _of_differences(differences: Sequence[Difference], todo: str) -> CheckResult:
    if not differences:
        return ok("as in the code", "as in the code")
    named = "; ".join(map(str, differences[:_MOST_NAMED]))
    return error(f"{len(differences)} that differ from the code", "none", todo, detail=named)


def roles_exist() -> CheckResult:
    """Each role of the database is there and can log in."""
    names = sorted(map(role_name, ROLES))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolname FROM pg_roles WHERE rolcanlogin AND rolname = ANY(%s)", [names]
        )
        found = {name for (name,) in cursor.fetchall()}
    missing = [name for name in names if name not in found]
    if missing:
        todo = "manage.py grant_database_roles --make, and a password for each"
        return error(
            f"{len(found)} roles", f"{len(names)} roles", todo, detail=f"no {', '.join(missing)}"
        )
    return ok(f"{len(names)} roles", f"{len(names)} roles")


def clock_agrees() -> CheckResult:
    """This host's clock shows the time of the database's."""
    before = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [there] = cursor.fetchone()
    after = timezone.now()
    apart = max(before - there, there - after, timedelta())
    found = f"{apart.total_seconds():.1f} s apart"
    needed = f"at most {_WARNED.total_seconds():.0f} s"
    todo = "synchronise the clocks of all hosts by NTP"
    if apart > _WRONG:
        return error(found, needed, todo)
    return warning(found, needed, todo) if apart > _WARNED else ok(found, needed)


def rule_sets_signed() -> CheckResult:
    """Rounds of every rule set of the code are settled: somebody signed it."""
    waiting = waiting_among(RULE_SETS)
    if waiting:
        todo = "manage.py put_rules_in_force, then compliance signs them under Rule sets"
        return error(f"not signed: {', '.join(waiting)}", "every rule set signed", todo)
    return ok(f"{len(RULE_SETS)} signed", "every rule set signed")


def share_is_verified() -> CheckResult:
    """Workers verify a random share of what is stored again, all day."""
    at = timezone.now()
    age = timedelta(seconds=recheck_figures(at=at).age_seconds(at))
    needed = f"within {_RECHECKED.total_seconds():.0f} s"
    if age > _RECHECKED:
        todo = "start workers and beat; the exceptions queue names a task that fails"
        return error("not verified lately", needed, todo)
    return ok(f"verified {age.total_seconds():.0f} s ago", needed)


def settlement_goes_on() -> CheckResult:
    """No check of integrity failed, or two persons resumed settlement after it."""
    stops = open_stops()
    if not stops:
        return ok("none open", "none open")
    found = ", ".join(sorted({stop.kind for stop in stops}))
    todo = "two persons look at the findings and resume on the page Settlement stops"
    is_stopped = bool(stops_in_force())
    result = error if is_stopped else warning
    return result(f"open: {found}", "none open", todo, detail=stops[0].findings[0])
