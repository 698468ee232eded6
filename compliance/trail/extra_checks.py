"""The checks of other packages, which ``verify_trail`` runs after those of the trail.

An application declares them in ``trail_checks.CHECKS``, as it declares its audit actions, and in
``trail_checks.LOCKS`` the statements that lock tables before the first query of their transaction.
"""

from collections.abc import Callable
from functools import cache

from django.db import connection

from compliance.storage.app_declarations import declarations

Report = Callable[[str], None]
"""Receives a description of each fault."""

Check = Callable[[Report], str]
"""Reads its data in the open transaction, reports faults, returns a summary of what it read."""


def begin_snapshot() -> None:
    """Makes the transaction, which has no query yet, one that reads one snapshot of the tables."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for statement in _locks():
            cursor.execute(statement)


@cache
def _locks() -> list[str]:
    declared = declarations("trail_checks", "LOCKS", default=())
    return [statement for _name, statements in declared for statement in statements]


def run_extra_checks(report: Report) -> list[str]:
    """Runs the checks of all applications; returns their summaries."""
    return [
        check(report)
        for _name, checks in declarations("trail_checks", "CHECKS")
        for check in checks
    ]
