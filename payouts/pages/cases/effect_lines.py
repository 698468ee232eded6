"""The effect of a decision as the pages show it, and as a file."""

import csv
from collections.abc import Sequence
from typing import Final, NamedTuple

from django.http import HttpResponse
from django.utils.translation import gettext as _

from payouts.cases.effect import CustomerEffect, Effect
from rounds.rules.money import format_cents

_MOST: Final = 30
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class EffectLine(NamedTuple):
    """A customer's line, with how long its bar is."""

    customer: CustomerEffect
    percent: int
    """Of the widest bar, to its own side."""


class EffectShown(NamedTuple):
    """An effect in as many lines as anybody reads, the others in one."""

    effect: Effect
    digest: str
    totals: dict[str, int]
    lines: Sequence[EffectLine]
    others: int
    others_net_cents: int


def shown(effect: Effect) -> EffectShown:
    """Those who give back most and those who get most, never more than thirty."""
    customers = list(effect.customers)
    if len(customers) > _MOST:
        listed = [*customers[: _MOST // 2], *customers[-_MOST // 2 :]]
    else:
        listed = customers
    widest = max((abs(one.net_cents) for one in listed), default=0) or 1
    rest = customers[_MOST // 2 : -_MOST // 2] if len(customers) > _MOST else []
    return EffectShown(
        effect,
        effect.digest.hex(),
        effect.totals,
        [EffectLine(one, abs(one.net_cents) * 100 // widest) for one in listed],
        len(rest),
        sum([one.net_cents for one in rest]),
    )


def effect_file(name: str, effect: Effect) -> HttpResponse:
    """Every customer of an effect, for a spreadsheet: semicolons, UTF-8, euros with a point."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    rows = csv.writer(answer, delimiter=";")
    rows.writerow(
        [
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
    )
    for one in effect.customers:
        money = (
            one.credited_cents,
            -one.taken_cents,
            one.net_cents,
            one.chips_cents,
            one.balance_cents,
            one.balance_after_cents,
            one.owed_cents,
        )
        rows.writerow([_defused(one.pseudonym), one.bets, *map(format_cents, money)])
    return answer


def _defused(text: str) -> str:
    """No spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
