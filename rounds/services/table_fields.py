"""What a registered table may be called, which rules it may run, and whose word stands."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rounds.gaming_day import gaming_day
from rounds.models import Table
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet
from rounds.services.intake import lock_names
from rounds.storage import milliseconds_of

_LONGEST_CODE: Final = 64
_LONGEST_NAME: Final = 100


class NotTaken(ValueError):
    """Something that cannot be taken: which field, what was found there, what is needed."""

    def __init__(self, field: str, found: str | Promise, needed: str | Promise) -> None:
        super().__init__(f"{field}: found {found}; needed {needed}")
        self.field, self.found, self.needed = field, found, needed


class TableMoved(Exception):
    """Somebody changed the table, its limits or its play after the person had looked."""

    def __init__(self, latest: Any = None) -> None:  # noqa: ANN401  a row of what moved
        super().__init__("somebody else came first")
        self.latest = latest
        """What stands now: the table, the set of limits, or the step of its suspension."""


def rule_sets_in_force(day: date) -> list[RuleSet]:
    """The rule sets that a table may run on a day."""
    return [rules for rules in RULE_SETS.values() if rules.in_force_from <= day]


def checked_code(code: str) -> str:
    """The code as the feed will name it. Raises NotTaken."""
    if 0 < len(code) <= _LONGEST_CODE and code.isprintable() and code == code.strip():
        return code
    needed = _("1 to 64 characters, without spaces at either end")
    raise NotTaken("code", code, needed)


def checked_name(name: str) -> str:
    """The name without spaces around it. Raises NotTaken."""
    text = name.strip()
    if 0 < len(text) <= _LONGEST_NAME and text.isprintable():
        return text
    raise NotTaken("name", name, _("1 to 100 characters on one line"))


def checked_rules(rules: str, *, at: datetime) -> str:
    """The name of a rule set in force on the day of play. Raises NotTaken."""
    known = [one.name for one in rule_sets_in_force(gaming_day(milliseconds_of(at)))]
    if rules in known:
        return rules
    raise NotTaken("rules", rules, one_of(known))


def one_of(names: Sequence[str]) -> str:
    """What is needed where only these will do."""
    return str(_("one of: %(names)s")) % {"names": ", ".join(names)}


def hold_table(table_id: int) -> Table:
    """Locks a table for this transaction, also against the feeds that bring its rounds in."""
    code = Table.objects.values_list("code", flat=True).get(pk=table_id)
    lock_names([f"table:{code}"])
    return Table.objects.select_for_update(no_key=True).get(pk=table_id)
