"""Changing a registered table's name or rule set, for the rounds to come."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models import Table
from rounds.services.table_fields import TableMoved, checked_name, checked_rules, hold_table


def change_table(
    *, table_id: int, name: str, rules: str, seen: int, at: datetime, actor: Actor
) -> Table:
    """Gives the table this name and rule set; rounds that are stored keep theirs.

    ``seen`` is the version that the actor looked at. Saying what is so already writes nothing.
    A rule set that the table runs may stay, in force or not. Raises NotTaken or TableMoved.
    """
    name = checked_name(name)
    with transaction.atomic():
        table = hold_table(table_id)
        if table.version != seen:
            raise TableMoved(table)
        if rules != table.rules:
            rules = checked_rules(rules, at=at)
        before, after = _said(table), {"name": name, "rules": rules}
        if after != before:
            table.name, table.rules, table.version = name, rules, seen + 1
            table.save(update_fields=["name", "rules", "version"])
            details = {"version": table.version, "before": before, "after": after}
            record_entries(
                [Entry("TABLE_CHANGED", f"table:{table.code}", details)], at=at, actor=actor
            )
    return table


def _said(table: Table) -> dict[str, str]:
    return {"name": table.name, "rules": table.rules}
