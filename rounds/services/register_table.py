"""Registering a table, after which its rounds are taken."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models import Table
from rounds.services.intake import lock_names
from rounds.services.table_fields import NotTaken, checked_code, checked_name, checked_rules


def register_table(*, code: str, name: str, rules: str, at: datetime, actor: Actor) -> Table:
    """Registers a table without limits. Raises NotTaken where a field or a code in use forbids it.

    Documents that were quarantined for want of it are taken when they come again.
    """
    code, name = checked_code(code), checked_name(name)
    rules = checked_rules(rules, at=at)
    with transaction.atomic():
        lock_names([f"table:{code}"])
        if Table.objects.filter(code=code).exists():
            raise NotTaken("code", code, _("a code that no other table has"))
        table = Table.objects.create(code=code, name=name, rules=rules)
        details = {"name": name, "rules": rules}
        record_entries([Entry("TABLE_REGISTERED", f"table:{code}", details)], at=at, actor=actor)
    return table
