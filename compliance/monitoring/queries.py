"""What the monitor knows, for whoever shows it. Nothing here changes or certifies anything.

Returns, shares and chances are fractions (0.98 for 98 %), money is cents, evidence is told as its
natural logarithm (``log_evidence``; the evidence itself is ``exp`` of it, 20 is about 3.0). Every
figure has beside it how many rounds it rests on. ``database`` is the alias to read from.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from itertools import accumulate
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.monitoring.counted import (
    CardCount,
    CardCounts,
    Frequency,
    VoidRate,
    bonus_counts,
    card_counts,
    void_rates,
)
from compliance.monitoring.evidence import log_evidence
from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook, What
from compliance.monitoring.spread import Sums, sum_of
from compliance.monitoring.windows import SINCE_START, Window
from rounds.rules.catalogue import RULE_SETS

__all__ = [
    "CardCount",
    "CardCounts",
    "Figures",
    "Frequency",
    "VoidRate",
    "WatchDay",
    "WatchNow",
    "bonus_counts",
    "card_counts",
    "figures_of",
    "history_of",
    "void_rates",
    "watches_now",
]

Limits = tuple[float, float]
_SUMS: Final = ", ".join(f"sum({name})" for name in Sums._fields)
_OF_WATCH: Final = """
    rules = %(rules)s AND (table_id = %(table)s OR %(table)s::bigint IS NULL)
"""


class Figures(NamedTuple):
    """What the bets of a watch came to in a window, and what they are held to."""

    sums: Sums
    """``rounds``, ``bets``, ``staked_cents``, ``payout_cents``; bets for cash alone."""
    certified: float | None
    """What the bet returns: exactly, or of a main bet by best play, to which nobody is held."""
    is_exact: bool
    """Whether ``certified`` holds however people play; only then are there limits and a z."""
    returned: float | None
    """Paid by staked, None where nothing was staked."""
    standard_error: float | None
    """Of ``returned``, told by how the rounds differ; None for fewer than two rounds."""
    z: float | None
    """Certified standard errors from ``certified`` to ``returned``."""
    limits_2: Limits | None
    """The returns two certified standard errors below and above ``certified``."""
    limits_3: Limits | None


class WatchNow(NamedTuple):
    """A watch with its figures in a window, and what the last look said of it since its start."""

    watch_id: int
    what: str
    """``What``: return, cards, levels, voids."""
    table: str | None
    """Its code, None for all tables of the rule set together."""
    game: str
    rules: str
    kind: str
    """Of the bet; empty for what is no bet."""
    figures: Figures | None
    """In the window; None for what is no bet."""
    rounds: int
    """On which ``log_evidence`` rests, since the start, at the last look."""
    log_evidence: float | None
    """Since the start, at the last look; None where nothing is certified to hold it to."""
    leans: float | None
    """The share of the stake that is paid too little (below 0) or too much, by what fits best."""
    in_alarm: bool
    case_id: int | None
    """The last case that it opened."""
    last_day: date
    looked_at: datetime


class WatchDay(NamedTuple):
    """One day of a watch, by itself and with all days before it, as the figures stand now."""

    day: date
    of_day: Figures | None
    """None for what is no bet, or where no such bet was played."""
    until_day: Figures | None
    rounds: int
    """All until this day on which ``log_evidence`` rests."""
    log_evidence: float | None


def watches_now(
    window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS
) -> list[WatchNow]:
    """Every watch of the last look, all tables together first; none before the first look."""
    look = Look.objects.using(database).order_by("-pk").first()
    if look is None:
        return []
    sums = _sums_in(window, database)
    cases = dict(
        WatchAlarm.objects.using(database).order_by("pk").values_list("watch_id", "case_id")
    )
    found = WatchLook.objects.using(database).filter(look=look).select_related("watch__table")
    told = [_now(one, look, sums, cases.get(one.watch_id)) for one in found]
    return sorted(told, key=lambda one: (one.rules, one.table or "", one.what, one.kind))


def history_of(
    watch_id: int, window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS
) -> list[WatchDay]:
    """The days of a watch that lie in the window; what holds "until" begins with its first day.

    Raises Watch.DoesNotExist.
    """
    watch = Watch.objects.using(database).get(pk=watch_id)
    last = watch.looks.order_by("-look_id").first()
    asked = {"rules": watch.rules, "table": watch.table_id, "kind": watch.kind, "what": watch.what}
    sums = dict(_days_of_sums(asked, database)) if watch.what == What.RETURN else {}
    logs = _days_of_logs(asked, database)
    days = sorted(sums.keys() | logs.keys())
    money = accumulate((sums.get(day, Sums()) for day in days), lambda *both: sum_of(both))
    none = (0, (0.0,) * (len(next(iter(logs.values()))[1]) if logs else 0))
    said = accumulate((logs.get(day, none) for day in days), _added)
    return [
        WatchDay(
            day,
            figures_of(sums[day], last) if day in sums else None,
            figures_of(until, last) if until.rounds else None,
            rounds,
            log_evidence(added) if added else None,
        )
        for day, until, (rounds, added) in zip(days, money, said, strict=True)
        if window.has(day)
    ]


def figures_of(sums: Sums, held_to: WatchLook | None) -> Figures:
    """These sums, held to what a look held the watch to."""
    certified = None if held_to is None else held_to.certified
    variance = None if held_to is None else held_to.variance
    returned, error = sums.returned, sums.standard_error
    if certified is None or variance is None:
        return Figures(sums, certified, False, returned, error, None, None, None)
    z = sums.z(certified, variance)
    two, three = (sums.limits(certified, variance, errors=errors) for errors in (2, 3))
    return Figures(sums, certified, True, returned, error, z, two, three)


def _now(
    found: WatchLook, look: Look, sums: dict[tuple[Any, ...], Sums], case_id: int | None
) -> WatchNow:
    watch = found.watch
    is_bet = watch.what == What.RETURN
    of_watch = sums.get((watch.rules, watch.kind, watch.table_id), Sums())
    return WatchNow(
        watch.pk,
        watch.what,
        None if watch.table is None else watch.table.code,
        RULE_SETS[watch.rules].game,
        watch.rules,
        watch.kind,
        figures_of(of_watch, found) if is_bet else None,
        found.rounds,
        found.log_evidence,
        found.leans,
        found.in_alarm,
        case_id,
        look.last_day,
        look.at,
    )


def _sums_in(window: Window, database: str) -> dict[tuple[Any, ...], Sums]:
    """By rule set, kind and table's id; None for all tables together."""
    with connections[database].cursor() as cursor:
        cursor.execute(_RETURNS.format(window=window.holds("day")), window.asked)
        return {row[:3]: Sums(*map(int, row[3:])) for row in cursor.fetchall()}


def _days_of_sums(asked: dict[str, Any], database: str) -> list[tuple[date, Sums]]:
    with connections[database].cursor() as cursor:
        cursor.execute(_DAYS_OF_SUMS, asked)
        return [(day, Sums(*map(int, sums))) for day, *sums in cursor.fetchall()]


def _days_of_logs(asked: dict[str, Any], database: str) -> dict[date, tuple[int, Sequence[float]]]:
    found: defaultdict[date, tuple[int, Sequence[float]]] = defaultdict(lambda: (0, ()))
    with connections[database].cursor() as cursor:
        cursor.execute(_DAYS_OF_LOGS, asked)
        for day, rounds, logs in cursor.fetchall():
            found[day] = _added(found[day], (rounds, logs)) if day in found else (rounds, logs)
    return dict(found)


def _added(
    left: tuple[int, Sequence[float]], right: tuple[int, Sequence[float]]
) -> tuple[int, Sequence[float]]:
    logs = tuple(a + b for a, b in zip(left[1], right[1], strict=True))
    return left[0] + right[0], logs


_RETURNS: Final = f"""
    SELECT rules, kind, table_id, {_SUMS} FROM monitoring_dailyreturn
     WHERE {{window}}
     GROUP BY GROUPING SETS ((rules, kind, table_id), (rules, kind))
"""  # noqa: S608  our own names
_DAYS_OF_SUMS: Final = f"""
    SELECT day, {_SUMS} FROM monitoring_dailyreturn
     WHERE {_OF_WATCH} AND kind = %(kind)s GROUP BY day
"""  # noqa: S608  our own names
_DAYS_OF_LOGS: Final = f"""
    SELECT day, rounds, logs FROM monitoring_dailyevidence
     WHERE {_OF_WATCH} AND kind = %(kind)s AND what = %(what)s
"""  # noqa: S608  our own names
