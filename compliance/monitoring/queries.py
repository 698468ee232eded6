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

from compliance.monitoring.evidence import log_evidence
from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook, What
from compliance.monitoring.spread import Sums, sum_of
from compliance.monitoring.windows import SINCE_START, Window
from rounds.rules.cards import CARDS
from rounds.rules.catalogue import RULE_SETS

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


class CardCount(NamedTuple):
    """How often a card was dealt; ``expected`` given what had left each shoe before each draw."""

    card: str
    dealt: int
    expected: float
    z: float
    """Standard errors by which it came too often (above 0) or too seldom."""


class CardCounts(NamedTuple):
    """All 52 cards, in the order of ``CARDS``."""

    rounds: int
    cards: tuple[CardCount, ...]
    log_evidence: float | None
    """That cards do not leave the shoe as from a shuffled one, from this window alone."""


class Frequency(NamedTuple):
    """How often something of a bonus or a multiplier card came."""

    of: str
    """``DailyOccurrence.Of``: level, points, grid, card."""
    name: str
    """``"none"`` and the levels; the points; ``"mini 25"``; the value of a multiplier card."""
    times: int
    total: int
    """Of all of this kind together; of a grid, of its level."""
    expected: float | None
    """Times that it should have come; None where no chance is certified."""


class VoidRate(NamedTuple):
    """Void rounds of a table, and whether they were bad ones for the house; money in cents."""

    table: str
    rules: str
    rounds: int
    """Settled with bets and not void."""
    house_won: int
    house_lost: int
    void_rounds: int
    void_not_judged: int
    """Of the void rounds those whose cards are not enough to say what they would have paid."""
    void_house_won: int
    """Would have paid less than was staked: the void cost the house."""
    void_house_lost: int
    """Would have paid more than was staked: the void spared the house."""
    void_staked_cents: int
    void_payout_cents: int
    """What the void rounds that could be judged would have paid."""

    @property
    def void_share(self) -> float | None:
        """Void rounds by all rounds."""
        every = self.rounds + self.void_rounds
        return self.void_rounds / every if every else None

    @property
    def spared_cents(self) -> int:
        """What the voids spared the house; below nothing where they cost it."""
        return self.void_payout_cents - self.void_staked_cents


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


def card_counts(
    table: str | None,
    rules: str,
    window: Window = SINCE_START,
    *,
    database: str = DEFAULT_DB_ALIAS,
) -> CardCounts:
    """The cards that a table dealt by a rule set, or all tables (None)."""
    asked = {"table": table, "rules": rules, "what": What.CARDS.value, **window.asked}
    with connections[database].cursor() as cursor:
        cursor.execute(_CARDS.format(window=window.holds("day")), asked)
        rows = cursor.fetchall()
        cursor.execute(_LOGS_IN.format(window=window.holds("day")), asked)
        logs = [total for _place, total in cursor.fetchall()]
        cursor.execute(_ROUNDS_IN.format(window=window.holds("day")), asked)
        (rounds,) = cursor.fetchone()
    cards = tuple(
        CardCount(CARDS[place - 1], dealt, expected, (dealt - expected) / (variance or 1.0) ** 0.5)
        for place, dealt, expected, variance in rows
    )
    return CardCounts(rounds, cards, log_evidence(logs) if logs else None)


def bonus_counts(
    table: str | None,
    rules: str,
    window: Window = SINCE_START,
    *,
    database: str = DEFAULT_DB_ALIAS,
) -> list[Frequency]:
    """Levels, points, grids and multiplier cards of a table or of all tables (None)."""
    with connections[database].cursor() as cursor:
        asked = {"table": table, "rules": rules, **window.asked}
        cursor.execute(_OCCURRENCES.format(window=window.holds("day")), asked)
        return [Frequency(*row) for row in cursor.fetchall()]


def void_rates(window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS) -> list[VoidRate]:
    """Every table and rule set with rounds in the window, by its code."""
    with connections[database].cursor() as cursor:
        cursor.execute(_VOIDS.format(window=window.holds("day")), window.asked)
        return [VoidRate(*row) for row in cursor.fetchall()]


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
_AT_TABLE: Final = """
    rules = %(rules)s AND {window} AND (%(table)s::text IS NULL
    OR table_id = (SELECT id FROM rounds_table WHERE code = %(table)s))
"""
_CARDS: Final = f"""
    SELECT place, sum(card.dealt)::bigint, sum(card.expected), sum(card.variance)
      FROM monitoring_dailycards AS daily
     CROSS JOIN unnest(daily.dealt, daily.expected, daily.variance)
                WITH ORDINALITY AS card (dealt, expected, variance, place)
     WHERE {_AT_TABLE}
     GROUP BY place ORDER BY place
"""  # noqa: S608  our own names
_LOGS_IN: Final = f"""
    SELECT place, sum(one) FROM monitoring_dailyevidence AS daily
     CROSS JOIN unnest(daily.logs) WITH ORDINALITY AS said (one, place)
     WHERE what = %(what)s AND {_AT_TABLE}
     GROUP BY place ORDER BY place
"""  # noqa: S608  our own names
_ROUNDS_IN: Final = f"""
    SELECT coalesce(sum(rounds), 0)::bigint FROM monitoring_dailycards WHERE {_AT_TABLE}
"""  # noqa: S608  our own names
_OCCURRENCES: Final = f"""
    SELECT "of", name, sum(times)::bigint AS times,
           (sum(sum(times)) OVER (
               PARTITION BY "of", CASE "of" WHEN 'grid' THEN split_part(name, ' ', 1) END))::bigint,
           sum(expected)
      FROM monitoring_dailyoccurrence
     WHERE {_AT_TABLE}
     GROUP BY "of", name
     ORDER BY "of", (regexp_match(name, '[0-9]+$'))[1]::bigint NULLS FIRST, name
"""  # noqa: S608  our own names
_VOIDS: Final = """
    SELECT code, daily.rules, sum(rounds)::bigint, sum(house_won)::bigint, sum(house_lost)::bigint,
           sum(void_rounds)::bigint, sum(void_not_judged)::bigint, sum(void_house_won)::bigint,
           sum(void_house_lost)::bigint, sum(void_staked_cents)::bigint,
           sum(void_payout_cents)::bigint
      FROM monitoring_dailyvoids AS daily
      JOIN rounds_table AS dealt_at ON dealt_at.id = daily.table_id
     WHERE {window}
     GROUP BY code, daily.rules ORDER BY code, daily.rules
"""
