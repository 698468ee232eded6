"""Tables to which rows are only ever added, guarded by the database.

PostgreSQL refuses UPDATE, DELETE and TRUNCATE on them, whoever asks: a mistake in our code, a
page, a console. A correction is a further row.
"""

import pgtrigger


def append_only(prefix: str) -> list[pgtrigger.Trigger]:
    """The triggers that make a table append-only; ``prefix`` keeps their names apart.

    UPDATE and DELETE are guarded row by row, so that the guard is copied to every partition a
    table may get; this costs an INSERT nothing.
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
