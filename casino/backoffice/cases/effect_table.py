"""The effect of a decision, as a table and as CSV."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.http import HttpResponse
from django.utils.translation import gettext as _

from casino.backoffice.site.downloads import csv_attachment, escape_formula
from payouts.cases.effect import CustomerEffect, Effect
from rounds.rules.money import format_cents

_MOST_CUSTOMERS: Final = 30


class EffectRow(NamedTuple):
    """A customer, with the length of the bar."""

    customer: CustomerEffect
    percent: int
    """Percentage of the longest bar."""


class EffectTable(NamedTuple):
    """An effect in at most thirty rows; all other customers are summed."""

    effect: Effect
    digest: str
    totals: dict[str, int]
    lines: Sequence[EffectRow]
    others: int
    others_net_cents: int


def effect_table(effect: Effect) -> EffectTable:
    """The customers with the largest debits and credits, thirty at most."""
    listed, others = split_ends(effect.customers)
    widest = max((abs(customer.net_cents) for customer in listed), default=0) or 1
    return EffectTable(
        effect,
        effect.digest.hex(),
        effect.totals,
        [EffectRow(customer, abs(customer.net_cents) * 100 // widest) for customer in listed],
        len(others),
        sum([customer.net_cents for customer in others]),
    )


def split_ends(rows: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The first and last rows, thirty at most, and the rows between them."""
    half = _MOST_CUSTOMERS // 2
    if len(rows) <= _MOST_CUSTOMERS:
        return list(rows), []
    return [*rows[:half], *rows[-half:]], list(rows[half:-half])


def effect_file(name: str, effect: Effect) -> HttpResponse:
    """All customers of an effect as CSV, in euros with a decimal point."""
    columns = [
        _("Customer"),
        _("Bets"),
        _("Refunded and paid"),
        _("Taken back"),
        _("Net"),
        _("Golden chips"),
        _("Balance now"),
        _("Balance after"),
        _("Owed"),
    ]
    return csv_attachment(columns, map(_cells, effect.customers), name=f"{name}.csv")


def _cells(customer: CustomerEffect) -> list[str]:
    cents = (
        customer.credited_cents,
        -customer.taken_cents,
        customer.net_cents,
        customer.chips_cents,
        customer.balance_cents,
        customer.balance_after_cents,
        customer.owed_cents,
    )
    return [escape_formula(customer.pseudonym), str(customer.bets), *map(format_cents, cents)]
