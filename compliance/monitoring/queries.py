"""Read-only queries of the table monitor.

Returns, shares and chances are fractions (0.98 for 98 %). Money is in cents. Evidence is its
natural logarithm (``log_evidence``; 3.0 is evidence of about 20). ``database`` is the alias to read
from.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from itertools import accumulate
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.monitoring.daily_counts import (
    CardCount,
    CardCounts,
    Frequency,
    VoidRate,
    bonus_counts,
    card_counts,
    void_rates,
)
from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook, What
from compliance.monitoring.statistics.evidence import log_evidence
from compliance.monitoring.statistics.variance import Sums, sum_of
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
    "looks_at_table",
    "void_rates",
    "watches_now",
]

Limits = tuple[float, float]
_SUMS: Final = ", ".join(f"sum({name})" for name in Sums._fields)
_OF_WATCH: Final = """
    rules = %(rules)s AND (table_id = %(table)s OR %(table)s::bigint IS NULL)
"""


class Figures(NamedTuple):
    """Figures of a watched bet in a window, with the expected return."""

    sums: Sums
    """``rounds``, ``bets``, ``staked_cents``, ``payout_cents``; cash bets only."""
    certified: float | None
    """The exact return; of a main bet, that of the best play."""
    is_exact: bool
    """Whether ``certified`` does not depend on decisions; required for limits and z."""
    returned: float | None
    """Payout by stake; None if nothing was staked."""
    standard_error: float | None
    """Empirical standard error of ``returned``; None for fewer than two rounds."""
    z: float | None
    """Deviation of ``returned`` in certified standard errors."""
    limits_2: Limits | None
    """Returns two certified standard errors below and above ``certified``."""
    limits_3: Limits | None


class WatchNow(NamedTuple):
    """A watch with its figures in a window, and the result of the last look."""

    watch_id: int
    what: str
    """``What``: return, cards, levels, voids."""
    table: str | None
    """Code of the table; None for all tables of the rule set."""
    game: str
    rules: str
    kind: str
    """Bet kind; empty for other watches."""
    figures: Figures | None
    """Figures in the window; None for other watches."""
    rounds: int
    """Rounds behind ``log_evidence``."""
    log_evidence: float | None
    """Evidence since the start, at the last look; None if nothing is certified."""
    leans: float | None
    """Shift of the best-fitting alternative, as a share of the stake; negative for too little."""
    in_alarm: bool
    case_id: int | None
    """The latest case that it opened."""
    last_day: date
    looked_at: datetime


class WatchDay(NamedTuple):
    """One day of a watch: figures of the day and cumulative figures."""

    day: date
    of_day: Figures | None
    """None for other watches, or without such a bet on the day."""
    until_day: Figures | None
    rounds: int
    """Rounds behind ``log_evidence``, up to this day."""
    log_evidence: float | None


def watches_now(
    window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS
) -> list[WatchNow]:
    """Every watch of the last look, totals over all tables first."""
    look = Look.objects.using(database).order_by("-pk").first()
    if look is None:
        return []
    sums = _sums_in(window, database)
    cases = dict(
        WatchAlarm.objects.using(database).order_by("pk").values_list("watch_id", "case_id")
    )
    watch_looks = WatchLook.objects.using(database).filter(look=look).select_related("watch__table")
    watches = [_now(watch, look, sums, cases.get(watch.watch_id)) for watch in watch_looks]
    return sorted(
        watches, key=lambda watch: (watch.rules, watch.table or "", watch.what, watch.kind)
    )


def looks_at_table(table_id: int, *, database: str = DEFAULT_DB_ALIAS) -> list[WatchLook]:
    """The last look at each watch of a table; figures since the start of the table."""
    look = Look.objects.using(database).order_by("-pk").first()
    looks = WatchLook.objects.using(database).filter(look=look, watch__table_id=table_id)
    return list(looks.select_related("watch", "look").order_by("watch__rules", "watch_id"))


def history_of(
    watch_id: int, window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS
) -> list[WatchDay]:
    """The days of a watch in the window; cumulative figures start with its first day.

    Raises Watch.DoesNotExist.
    """
    watch = Watch.objects.using(database).get(pk=watch_id)
    last = watch.looks.order_by("-look_id").first()
    parameters = {
        "rules": watch.rules,
        "table": watch.table_id,
        "kind": watch.kind,
        "what": watch.what,
    }
    sums = dict(_days_of_sums(parameters, database)) if watch.what == What.RETURN else {}
    logs = _days_of_logs(parameters, database)
    days = sorted(sums.keys() | logs.keys())
    money = accumulate((sums.get(day, Sums()) for day in days), lambda *both: sum_of(both))
    none = (0, (0.0,) * (len(next(iter(logs.values()))[1]) if logs else 0))
    log_sums = accumulate((logs.get(day, none) for day in days), _added)
    return [
        WatchDay(
            day,
            figures_of(sums[day], last) if day in sums else None,
            figures_of(until, last) if until.rounds else None,
            rounds,
            log_evidence(added) if added else None,
        )
        for day, until, (rounds, added) in zip(days, money, log_sums, strict=True)
        if window.has(day)
    ]


def figures_of(sums: Sums, look: WatchLook | None) -> Figures:
    """The figures of these sums, with the expected return stored by a look."""
    certified = None if look is None else look.certified
    variance = None if look is None else look.variance
    returned, error = sums.returned, sums.standard_error
    if certified is None or variance is None:
        return Figures(sums, certified, False, returned, error, None, None, None)
    z = sums.z(certified, variance)
    two, three = (sums.limits(certified, variance, errors=errors) for errors in (2, 3))
    return Figures(sums, certified, True, returned, error, z, two, three)


def _now(
    watch_look: WatchLook, look: Look, sums: dict[tuple[Any, ...], Sums], case_id: int | None
) -> WatchNow:
    watch = watch_look.watch
    is_bet = watch.what == What.RETURN
    of_watch = sums.get((watch.rules, watch.kind, watch.table_id), Sums())
    return WatchNow(
        watch.pk,
        watch.what,
        None if watch.table is None else watch.table.code,
        RULE_SETS[watch.rules].game,
        watch.rules,
        watch.kind,
        figures_of(of_watch, watch_look) if is_bet else None,
        watch_look.rounds,
        watch_look.log_evidence,
        watch_look.leans,
        watch_look.in_alarm,
        case_id,
        look.last_day,
        look.at,
    )


def _sums_in(window: Window, database: str) -> dict[tuple[Any, ...], Sums]:
    """Sums by rule set, bet kind and table id; None for all tables."""
    with connections[database].cursor() as cursor:
        cursor.execute(_RETURNS.format(window=window.condition("day")), window.parameters)
        return {row[:3]: Sums(*map(int, row[3:])) for row in cursor.fetchall()}


def _days_of_sums(parameters: dict[str, Any], database: str) -> list[tuple[date, Sums]]:
    with connections[database].cursor() as cursor:
        cursor.execute(_DAYS_OF_SUMS, parameters)
        return [(day, Sums(*map(int, sums))) for day, *sums in cursor.fetchall()]


def _days_of_logs(
    parameters: dict[str, Any], database: str
) -> dict[date, tuple[int, Sequence[float]]]:
    logs_by_day: defaultdict[date, tuple[int, Sequence[float]]] = defaultdict(lambda: (0, ()))
    with connections[database].cursor() as cursor:
        cursor.execute(_DAYS_OF_LOGS, parameters)
        for day, rounds, logs in cursor.fetchall():
            logs_by_day[day] = (
                _added(logs_by_day[day], (rounds, logs)) if day in logs_by_day else (rounds, logs)
            )
    return dict(logs_by_day)


def _added(
    left: tuple[int, Sequence[float]], right: tuple[int, Sequence[float]]
) -> tuple[int, Sequence[float]]:
    logs = tuple(a + b for a, b in zip(left[1], right[1], strict=True))
    return left[0] + right[0], logs


_RETURNS: Final = f"""
    SELECT rules, kind, table_id, {_SUMS} FROM monitoring_dailyreturn
     WHERE {{window}}
     GROUP BY GROUPING SETS ((rules, kind, table_id), (rules, kind))
"""
_DAYS_OF_SUMS: Final = f"""
    SELECT day, {_SUMS} FROM monitoring_dailyreturn
     WHERE {_OF_WATCH} AND kind = %(kind)s GROUP BY day
"""
_DAYS_OF_LOGS: Final = f"""
    SELECT day, rounds, logs FROM monitoring_dailyevidence
     WHERE {_OF_WATCH} AND kind = %(kind)s AND what = %(what)s
"""
