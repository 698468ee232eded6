"""Validation of a table's fields, and locking of tables."""

from datetime import date, datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from compliance.storage.advisory_locks import lock_names
from rounds.field_errors import InvalidField, one_of
from rounds.gaming_day import gaming_day
from rounds.models import Table
from rounds.row_mapping import milliseconds_of
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet

_LONGEST_CODE: Final = 64
_LONGEST_NAME: Final = 100


def rule_sets_in_force(day: date) -> list[RuleSet]:
    """The rule sets in force on a day."""
    return [rules for rules in RULE_SETS.values() if rules.in_force_from <= day]


def checked_code(code: str) -> str:
    """The valid code. Raises InvalidField."""
    if 0 < len(code) <= _LONGEST_CODE and code.isprintable() and code == code.strip():
        return code
    needed = _("1 to 64 characters, without spaces at either end")
    raise InvalidField("code", code, needed)


def checked_name(name: str) -> str:
    """The valid name, stripped. Raises InvalidField."""
    text = name.strip()
    if 0 < len(text) <= _LONGEST_NAME and text.isprintable():
        return text
    raise InvalidField("name", name, _("1 to 100 characters on one line"))


def checked_rules(rules: str, *, at: datetime) -> str:
    """The name of a rule set in force at this time. Raises InvalidField."""
    known = [rule_set.name for rule_set in rule_sets_in_force(gaming_day(milliseconds_of(at)))]
    if rules in known:
        return rules
    raise InvalidField("rules", rules, one_of(known))


def lock_table(table_id: int) -> Table:
    """Locks a table for this transaction, also against ingestion of its rounds."""
    code = Table.objects.values_list("code", flat=True).get(pk=table_id)
    lock_names([f"table:{code}"])
    return Table.objects.select_for_update(no_key=True).get(pk=table_id)
