"""Hardening of trigger functions after each migration, so that no session setting skips them.

A migration that adds a trigger recreates django-pgtrigger's functions, which obey
``SET pgtrigger.ignore`` and the caller's search path.
"""

from typing import Any, Final

from django.db import connections, router, transaction

from compliance.storage.schema_objects.declared import (
    IGNORES_NOTHING,
    SEARCH_PATH,
    declared_functions,
)

_OURS: Final = r"""
    SELECT oid::regprocedure::text FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
       AND (proname = ANY(%s) OR proname LIKE 'pgtrigger\_%%' AND prorettype = 'trigger'::regtype)
       AND NOT coalesce(proconfig @> ARRAY[%s], false)
"""
_IGNORING: Final = "SELECT to_regprocedure('public._pgtrigger_should_ignore(name)') IS NOT NULL"


def harden_functions(*, using: str, **_signal: Any) -> None:
    """Fixes the search path of our functions and disables ``pgtrigger.ignore``."""
    if not router.allow_migrate(using, "trail"):
        return
    database = connections[using]
    with transaction.atomic(using=using), database.cursor() as cursor:
        cursor.execute(_IGNORING)
        if cursor.fetchone() == (True,):
            cursor.execute(IGNORES_NOTHING)
        cursor.execute(_OURS, [list(declared_functions()), f"search_path={SEARCH_PATH}"])
        for (signature,) in cursor.fetchall():
            cursor.execute(f"ALTER FUNCTION {signature} SET search_path = {SEARCH_PATH}")
