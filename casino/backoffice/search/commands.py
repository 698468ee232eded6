"""Actions that a search offers: a verb and what it is about, as in ``suspend bj-2``.

Each leads to the page where the action is taken, with its form, effect and signature.
``COMMANDS`` is the list; to add one, add its verbs in both languages of the pages.
"""

from collections.abc import Callable
from datetime import date
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.backoffice.gaming_days.days import CLOSE
from casino.backoffice.search.days import day_in
from casino.backoffice.search.hits import Hit
from casino.backoffice.search.records import tables_like
from rounds.formatting import long_day

_LEAST_LETTERS: Final = 3
"""Of a verb: fewer would match by chance."""
_Targets = Callable[[str, date], list[tuple[str, str]]]


class Command(NamedTuple):
    """An action by its verbs; ``targets`` gives the name and the address of what a text means."""

    verbs: tuple[str, ...]
    label: str | Promise
    permission: str
    targets: _Targets


def _tables(action: str) -> _Targets:
    """Tables, on the page of the action."""

    def targets(text: str, _today: date) -> list[tuple[str, str]]:
        return [(table.code, reverse(action, args=[table.pk])) for table in tables_like(text)]

    return targets


def _days(action: str) -> _Targets:
    """A gaming day, on the page of the action."""

    def targets(text: str, today: date) -> list[tuple[str, str]]:
        day = day_in(text, today=today)
        return [] if day is None else [(long_day(day), reverse(action, args=[day.isoformat()]))]

    return targets


_SUSPEND: Final = "rounds.suspend_table"
_TABLE: Final = "admin:rounds_table_change"
COMMANDS: Final = (
    Command(("suspend", "sospendi"), _("Suspend table %(name)s"), _SUSPEND, _tables(_TABLE)),
    Command(
        ("resume", "riprendi", "riapri"), _("Resume table %(name)s"), _SUSPEND, _tables(_TABLE)
    ),
    Command(
        ("limits", "limiti"),
        _("Set the limits of %(name)s"),
        "rounds.limit_stakes",
        _tables("limit_stakes"),
    ),
    Command(("close", "chiudi"), _("Close %(name)s"), CLOSE, _days("day")),
)


def find_commands(text: str, *, today: date, may: Callable[[str], bool]) -> list[Hit]:
    """The actions that the text begins to name, if the person may take them."""
    verb, _space, rest = text.casefold().partition(" ")
    if len(verb) < _LEAST_LETTERS:
        return []
    return [
        Hit(str(command.label) % {"name": name}, "", address)
        for command in COMMANDS
        if may(command.permission) and any(known.startswith(verb) for known in command.verbs)
        for name, address in command.targets(rest.strip(), today)
    ]
