"""Audit actions that only some database roles may record.

Every role writes audit records and could invent one that proves something. Such a record
is reserved to the roles that may write what it proves.
"""

from collections.abc import Sequence
from typing import Final

import pgtrigger

ONLY_BY_OWNER: Final = "auth_group"
"""A table into which no role but the owner of the tables inserts."""

_REFUSED: Final = """
                    RAISE EXCEPTION '% may not record %', current_user, NEW.action
                        USING ERRCODE = 'insufficient_privilege';
                """
"""With the white space of the migrations: other white space is another trigger."""


def reserved_actions(
    name: str, actions: Sequence[str], *, to_whoever_inserts_into: str
) -> pgtrigger.Trigger:
    """The trigger that lets only roles with INSERT on a table record these actions.

    It fires after the row: one before it would have PostgreSQL copy rows one by one.
    """
    listed = ", ".join(f"'{action}'" for action in actions)
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        condition=pgtrigger.Condition(
            f"NEW.action IN ({listed})"
            f" AND NOT has_table_privilege('public.{to_whoever_inserts_into}', 'INSERT')"
        ),
        func=_REFUSED,
    )
