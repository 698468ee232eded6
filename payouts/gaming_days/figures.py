"""Figures of gaming days, by table and rule set.

    staked - open stakes + settled from earlier days = settled stakes
    settled stakes - paid = gross win

See the glossary in ``docs/exports.md``. Amounts are cash; golden chips are listed separately.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS
from django.utils.translation import gettext as _

from payouts.gaming_days.daily_totals_report import DailyTotal, daily_totals
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.open_stakes import NO_OPEN_STAKES, OpenStakes, open_stakes

FIGURES: Final = (
    "rounds_taken",
    "rounds_settled",
    "void_rounds",
    "corrections",
    "staked_cents",
    "staked_chips_cents",
    "open_cents",
    "earlier_cents",
    "settled_cents",
    "payout_cents",
    "gross_win_cents",
    "held_rounds",
    "held_cents",
)
"""Figures that only closed days have."""

FigureRow = Mapping[str, Any]
"""``rules``, ``table`` and the figures."""


def figures_of(
    days: Sequence[date], closings: Mapping[date, DayClosing]
) -> Mapping[date, list[FigureRow]]:
    """The rows of each day: as recorded for closed days, current for others."""
    not_settled = open_stakes(days)
    lines: defaultdict[date, list[FigureRow]] = defaultdict(list)
    for day, closing in closings.items():
        for recorded in closing.totals["games"]:
            of = not_settled.get((day, recorded["table"], recorded["rules"]), NO_OPEN_STAKES)
            lines[day].append(_closed(recorded, of))
    for day, line in _open_lines([day for day in days if day not in closings], not_settled):
        lines[day].append(line)
    return lines


def summed(lines: Iterable[FigureRow]) -> dict[str, int]:
    """The sum of the rows."""
    rows = list(lines)
    return {name: sum([line.get(name, 0) for line in rows]) for name in FIGURES}


def sum_tiles(figures: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """The figures of a day as a sum, each with its sign."""
    return [
        ("", _("Staked"), figures["staked_cents"]),
        ("−", _("Open stakes"), figures["open_cents"]),
        ("+", _("Settled from earlier days"), figures["earlier_cents"]),
        ("=", _("Settled stakes"), figures["settled_cents"]),
        ("−", _("Paid"), figures["payout_cents"]),
        ("=", _("Gross win"), figures["gross_win_cents"]),
    ]


def _closed(recorded: Mapping[str, Any], of: OpenStakes) -> FigureRow:
    """Control totals name settled stakes ``staked``, and stakes ``stakes_taken``."""
    return {
        **recorded,
        "staked_cents": recorded["stakes_taken_cents"],
        "staked_chips_cents": recorded["stakes_taken_chips_cents"],
        "open_cents": of.open_cents,
        "earlier_cents": of.earlier_cents,
        "settled_cents": recorded["staked_cents"],
    }


def _open_lines(
    days: Sequence[date], not_settled: Mapping[tuple[date, str, str], OpenStakes]
) -> Iterable[tuple[date, FigureRow]]:
    """Rows of open days, including tables without settlements."""
    if not days:
        return
    totals = daily_totals(first=min(days), last=max(days), database=DEFAULT_DB_ALIAS)
    settled = {(total.day, total.table, total.rules): total for total in totals}
    for key in sorted({*settled, *not_settled}):
        day, table, rules = key
        if day in days:
            total = settled.get(key) or DailyTotal(day, table, rules, *[0] * 8)
            yield day, _open(total, not_settled.get(key, NO_OPEN_STAKES))


def _open(total: DailyTotal, of: OpenStakes) -> FigureRow:
    settled = total.staked_cents - total.staked_chips_cents
    paid = total.payout_cents - total.payout_chips_cents
    chips = total.staked_chips_cents + of.open_chips_cents - of.earlier_chips_cents
    return {
        "rules": total.rules,
        "table": total.table,
        "rounds_settled": total.rounds,
        "void_rounds": total.void_rounds,
        "staked_cents": settled + of.open_cents - of.earlier_cents,
        "staked_chips_cents": chips,
        "open_cents": of.open_cents,
        "earlier_cents": of.earlier_cents,
        "settled_cents": settled,
        "payout_cents": paid,
        "gross_win_cents": settled - paid,
    }
