"""Fields and values of the report of alterations as text."""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.roles import role_label
from payouts.settlement.models import Settlement
from rounds.explanations.ruling_text import ruling_text
from rounds.formatting import BET_KINDS, NONE, bet_kind_label, count, money
from rounds.row_mapping import ruling_of

_FIELDS: Final[Mapping[str, str | Promise]] = {
    "email": gettext_lazy("E-mail"),
    "first_name": gettext_lazy("First name"),
    "is_active": gettext_lazy("Active"),
    "kind": gettext_lazy("Kind"),
    "last_name": gettext_lazy("Last name"),
    "name": gettext_lazy("Name"),
    "needs_regulator": gettext_lazy("Reference of the regulator needed"),
    "paid": gettext_lazy("Paid"),
    "per_million": gettext_lazy("Parts per million"),
    "roles": gettext_lazy("Roles"),
    "rules": gettext_lazy("Rule set"),
    "ruling": gettext_lazy("Corrected facts"),
    "settlement": gettext_lazy("Settlement"),
    "text_en": gettext_lazy("Text in English"),
    "text_it": gettext_lazy("Text in Italian"),
}


def field_label(field: str) -> str:
    """The label of a changed field; for a stake limit that of its bet."""
    return str(_FIELDS.get(field) or bet_kind_label(field))


def value_text(field: str, value: str) -> str:
    """The value of a field, as the report has it, in the active language."""
    if field in BET_KINDS:
        return _limits(value)
    return _TEXTS.get(field, str)(value)


def _limits(value: str) -> str:
    least, most = json.loads(value)
    return f"{money(least)} \N{EN DASH} {money(most)}"


def _yes(value: str) -> str:
    return _("yes") if json.loads(value) else _("no")


_TEXTS: Final[Mapping[str, Callable[[str], str]]] = {
    "is_active": _yes,
    "kind": lambda kind: str(Settlement.Kind(kind).label),
    "needs_regulator": _yes,
    "paid": lambda amount: money(int(Decimal(amount).scaleb(2))),
    "per_million": lambda parts: count(int(parts)),
    "roles": lambda roles: ", ".join(map(role_label, json.loads(roles))) or NONE,
    "ruling": lambda ruling: ruling_text(ruling_of(json.loads(ruling))),
}
