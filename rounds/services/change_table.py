"""Change of a table's name or rule set."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState
from rounds.models import Table
from rounds.services.table_fields import checked_name, checked_rules, lock_table


def change_table(
    *, table_id: int, name: str, rules: str, seen: int, at: datetime, actor: Actor
) -> Table:
    """Sets the name and the rule set of later rounds; writes nothing without a change.

    ``seen`` is the version that the actor saw. A new rule set must be in force. Raises InvalidField
    or StaleState.
    """
    name = checked_name(name)
    with transaction.atomic():
        table = lock_table(table_id)
        if table.version != seen:
            raise StaleState(table)
        if rules != table.rules:
            rules = checked_rules(rules, at=at)
        before, after = _fields(table), {"name": name, "rules": rules}
        if after != before:
            table.name, table.rules, table.version = name, rules, seen + 1
            table.save(update_fields=["name", "rules", "version"])
            details = {"version": table.version, "before": before, "after": after}
            record_entries(
                [Entry("TABLE_CHANGED", f"table:{table.code}", details)], at=at, actor=actor
            )
    return table


def _fields(table: Table) -> dict[str, str]:
    return {"name": table.name, "rules": table.rules}
