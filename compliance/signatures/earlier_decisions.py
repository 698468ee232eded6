"""A migration operation for decisions that are signed from now on."""

from django.db.migrations import RunSQL


def keep_earlier_decisions(*actions: str) -> RunSQL:
    """Marks all records of these actions that exist as decisions from before signatures."""
    names = ", ".join(f"'{action}'" for action in actions)
    return RunSQL(
        f"""
        INSERT INTO signatures_earlierdecision (record_id)
        SELECT record.id FROM trail_auditrecord AS record
         WHERE record.action IN ({names})
           AND NOT EXISTS (SELECT FROM signatures_decisionsignature AS signed
                            WHERE signed.record_id = record.id)
        """,
        reverse_sql=RunSQL.noop,
    )
