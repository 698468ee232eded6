"""Registration of tables, which makes their rounds acceptable."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.field_errors import InvalidField
from rounds.models import Table
from rounds.services.table_fields import checked_code, checked_name, checked_rules


def register_table(*, code: str, name: str, rules: str, at: datetime, actor: Actor) -> Table:
    """Registers a table without limits. Raises InvalidField, also for a code in use.

    Documents quarantined for an unknown table are accepted when they are delivered again.
    """
    code, name = checked_code(code), checked_name(name)
    rules = checked_rules(rules, at=at)
    with transaction.atomic():
        lock_names([f"table:{code}"])
        if Table.objects.filter(code=code).exists():
            raise InvalidField("code", code, _("a code that no other table uses"))
        table = Table.objects.create(code=code, name=name, rules=rules)
        details = {"name": name, "rules": rules}
        record_entries([Entry("TABLE_REGISTERED", f"table:{code}", details)], at=at, actor=actor)
    return table
