"""Append-only tables, enforced by the database.

PostgreSQL rejects UPDATE, DELETE and TRUNCATE on them, whether they come from our code, a page or
a console. A correction is a further row.
"""

import pgtrigger
from django.db.models import Model


def append_only(prefix: str) -> list[pgtrigger.Trigger]:
    """The triggers that make a table append-only; ``prefix`` makes their names unique.

    Those for UPDATE and DELETE are row triggers, which every partition of a table inherits. They
    cost an INSERT nothing.
    """
    return [
        pgtrigger.Protect(name=f"{prefix}_no_update", operation=pgtrigger.Update),
        pgtrigger.Protect(name=f"{prefix}_no_delete", operation=pgtrigger.Delete),
        pgtrigger.Trigger(
            name=f"{prefix}_no_truncate",
            operation=pgtrigger.Truncate,
            when=pgtrigger.Before,
            level=pgtrigger.Statement,
            func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
        ),
    ]


def is_append_only(model: type[Model]) -> bool:
    """Whether a trigger rejects DELETE on the model's table."""
    triggers = getattr(model._meta, "triggers", ())
    return any(
        isinstance(trigger, pgtrigger.Protect) and trigger.operation == pgtrigger.Delete
        for trigger in triggers
    )
