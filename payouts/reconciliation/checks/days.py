"""Daily totals, against the sums of the settlements booked on the day.

A settlement counts on its booking day; the settlement that it replaced is subtracted on that day.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.trail.key_ranges import KeyRange
from payouts.carried_forward.detached_months import is_carried
from payouts.reconciliation.checks.closings import check_closings
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind
from payouts.reconciliation.checks.snapshot import Fetch, fetch_rows
from rounds.gaming_day import ROME, gaming_day_sql
from rounds.row_mapping import milliseconds_of

_KEYS: Final = ("day", "table_id", "rules")
_A_DAY: Final = timedelta(days=1)
_ROUND_FIGURES: Final = ("rounds", "void_rounds")
_BET_FIGURES: Final = (
    "bets",
    "void_bets",
    "staked_cents",
    "staked_chips_cents",
    "payout_cents",
    "payout_chips_cents",
)
_BOOKED: Final = """
    SELECT settled.round_id, settled.sequence, settled.kind, settled.booked_on AS day, 1 AS sign
      FROM payouts_settlement AS settled WHERE {which}
     UNION ALL
    SELECT before.round_id, before.sequence, before.kind, settled.booked_on, -1
      FROM payouts_settlement AS settled
      JOIN payouts_settlement AS before
        ON before.round_id = settled.round_id AND before.sequence = settled.sequence - 1
     WHERE {which} AND settled.sequence > 1
"""
_ROUNDS: Final = f"""
    SELECT settled.day, round.table_id, round.rules, sum(sign)::bigint AS rounds,
           sum(sign * (settled.kind = 'void')::int)::bigint AS void_rounds
      FROM ({_BOOKED}) AS settled {{round}}
     GROUP BY 1, 2, 3
"""
_BETS: Final = f"""
    SELECT settled.day, round.table_id, round.rules, bet.kind, sum(sign)::bigint AS bets,
           sum(sign * (bet.outcome = 'void' AND bet.payout_cents > 0)::int)::bigint AS void_bets,
           sum(sign * (bet.stake_cents + bet.raised_cents))::bigint AS staked_cents,
           sum(sign * CASE WHEN bet.golden THEN bet.stake_cents ELSE 0 END)::bigint
           AS staked_chips_cents,
           sum(sign * bet.payout_cents)::bigint AS payout_cents,
           sum(sign * bet.chips_cents)::bigint AS payout_chips_cents
      FROM ({_BOOKED}) AS settled {{round}} {{bet}}
     GROUP BY 1, 2, 3, 4
"""
_BET_AND_RESULT: Final = """
    SELECT bet.round_id, paid.sequence, bet.kind, bet.golden, bet.stake_cents, bet.raised_cents,
           paid.outcome, paid.payout_cents, paid.chips_cents
      FROM rounds_bet AS bet
      JOIN payouts_betsettlement AS paid
        ON paid.round_id = bet.round_id AND paid.bet_number = bet.number
"""
# Of the rounds of the days themselves: whole partitions are read and joined.
_USUAL_ROUND: Final = "JOIN rounds_round AS round ON round.id = settled.round_id AND {id}"
_USUAL_BET: Final = f"""
      JOIN ({_BET_AND_RESULT} WHERE {{bet}} AND {{paid}}) AS bet
        ON bet.round_id = settled.round_id AND bet.sequence = settled.sequence
"""
# Of rounds of other days that are settled on these, mostly few: each is looked up by its id.
# OFFSET keeps the planner from reading all months instead.
_LATE_ROUND: Final = """
      JOIN LATERAL (SELECT table_id, rules FROM rounds_round
                     WHERE id = settled.round_id OFFSET 0) AS round ON true
"""
_LATE_BET: Final = f"""
      JOIN LATERAL ({_BET_AND_RESULT}
                     WHERE bet.round_id = settled.round_id AND paid.round_id = settled.round_id
                       AND paid.sequence = settled.sequence OFFSET 0) AS bet ON true
"""
_STORED: Final = "SELECT {keys}, {sums} FROM {table} WHERE {day} GROUP BY {keys}"
_DIFFERING: Final = """
    SELECT {keys}, (SELECT code FROM rounds_table WHERE id = table_id),
           {stored_figures}, {expected_figures}
      FROM ({stored}) AS stored FULL JOIN ({expected}) AS expected USING ({keys})
     WHERE ({stored_figures}) <> ({expected_figures})
     ORDER BY {keys}
"""
# Of detached months, as they were carried forward.
_CARRIED: Final = """
    SELECT day, (line->>0)::bigint AS table_id, line->>1 AS rules, {columns}
      FROM payouts_carriedday, jsonb_array_elements(sums->'{kind}') AS line
     WHERE {carried} AND {day}
"""
_DAYS: Final = f"""
    SELECT DISTINCT {gaming_day_sql("opened_at")} AS day FROM rounds_round WHERE {{id}}
     UNION SELECT day FROM payouts_dailyrounds WHERE {{day}}
     UNION SELECT day FROM payouts_dailybets WHERE {{day}}
     ORDER BY day
"""


class Days(NamedTuple):
    """Days of play in Rome, inclusive; None is unbounded."""

    first: date | None
    last: date | None

    @property
    def keys(self) -> KeyRange:
        """The ids of the rounds of these days. Ids encode the time of opening.

        Rounds dated before 1970 sort first.
        """
        after = None if self.last is None or self.last == date.max else self.last + _A_DAY
        return KeyRange(*(None if day is None else _first_key(day) for day in (self.first, after)))

    def holds(self, column: str) -> str:
        """SQL: whether a column of days is in the range."""
        least = f"{column} >= '{self.first}'" if self.first is not None else "true"
        return least if self.last is None else f"{least} AND {column} <= '{self.last}'"


def daily_sums(fetch: Fetch, keys: KeyRange) -> Iterator[tuple[str, Sequence[Any]]]:
    """What the rounds of a range add to the totals of any day: ``rounds`` or ``bets``, and the row.

    A row begins with its day.
    """
    conditions = {
        "which": keys.holds("settled.round_id"),
        "round": _USUAL_ROUND.format(id=keys.holds("round.id")),
        "bet": _USUAL_BET.format(bet=keys.holds("bet.round_id"), paid=keys.holds("paid.round_id")),
    }
    for kind, query in (("rounds", _ROUNDS), ("bets", _BETS)):
        for row in fetch(query.format(**conditions)):
            yield kind, row


def day_ranges(within: Days) -> list[Days]:
    """Adjacent ranges, one for each day with a round or a total."""
    named = _DAYS.format(id=within.keys.holds("id"), day=within.holds("day"))
    starts = [day for (day,) in fetch_rows(named)]
    firsts = [within.first, *starts[1:]]
    lasts = [day - _A_DAY for day in starts[1:]]
    return [Days(*ends) for ends in zip(firsts, [*lasts, within.last], strict=True)]


def check_days(days: Days, result: CheckResult) -> None:
    """Checks the totals of these days by table, rule set and bet kind, and their closings."""
    keys, booked = days.keys, days.holds("settled.booked_on")
    of_play = keys.holds("settled.round_id")
    late = f"{booked} AND NOT ({of_play})"
    usual = {
        "round": _USUAL_ROUND.format(id=keys.holds("round.id")),
        "bet": _USUAL_BET.format(bet=keys.holds("bet.round_id"), paid=keys.holds("paid.round_id")),
    }
    others = {"round": _LATE_ROUND, "bet": _LATE_BET}
    carried = is_carried()
    for kind, table, names, figures, query in (
        (Kind.DAY_ROUNDS, "payouts_dailyrounds", _KEYS, _ROUND_FIGURES, _ROUNDS),
        (Kind.DAY_BETS, "payouts_dailybets", (*_KEYS, "kind"), _BET_FIGURES, _BETS),
    ):
        parts = (
            query.format(which=f"{booked} AND {of_play}", **usual),
            query.format(which=late, **others),
            _CARRIED.format(
                columns=_carried_columns(names, figures),
                kind=table.removeprefix("payouts_daily"),
                carried=carried,
                day=days.holds("day"),
            ),
        )
        expected_sums = _sum_of(parts, names, figures)
        differing = _differing(table, names, figures, days.holds("day"), expected_sums)
        for row in fetch_rows(differing):
            result.add(_difference(kind, row, names, figures))
    check_closings(days.holds("day"), result)


def _carried_columns(names: tuple[str, ...], figures: tuple[str, ...]) -> str:
    """The columns after table and rule set; the day is no element of a line."""
    others = [f"line->>{at} AS {name}" for at, name in enumerate(names[1:]) if name not in _KEYS]
    sums = [f"(line->>{at})::bigint AS {it}" for at, it in enumerate(figures, len(names) - 1)]
    return ", ".join([*others, *sums])


def _sum_of(parts: Iterable[str], names: tuple[str, ...], figures: tuple[str, ...]) -> str:
    keys, sums = ", ".join(names), ", ".join(f"sum({figure}) AS {figure}" for figure in figures)
    together = " UNION ALL ".join(parts)
    return f"SELECT {keys}, {sums} FROM ({together}) AS parts GROUP BY {keys}"


def _differing(
    table: str, names: tuple[str, ...], figures: tuple[str, ...], day: str, expected: str
) -> str:
    keys = ", ".join(names)
    sums = ", ".join(f"sum({figure}) AS {figure}" for figure in figures)
    return _DIFFERING.format(
        keys=keys,
        stored=_STORED.format(keys=keys, sums=sums, table=table, day=day),
        expected=expected,
        stored_figures=_figures("stored", figures),
        expected_figures=_figures("expected", figures),
    )


def _figures(side: str, figures: tuple[str, ...]) -> str:
    return ", ".join(f"coalesce({side}.{figure}, 0)::bigint" for figure in figures)


def _difference(
    kind: Kind, row: tuple[Any, ...], names: tuple[str, ...], figures: tuple[str, ...]
) -> Difference:
    day, _table_id, *others = row[: len(names)]
    about = {"day": day.isoformat(), "table": row[len(names)]}
    about |= dict(zip(("rules", "bet_kind"), others, strict=False))
    stored = row[len(names) + 1 : len(names) + 1 + len(figures)]
    expected = row[len(names) + 1 + len(figures) :]
    return Difference(
        kind,
        about,
        dict(zip(figures, stored, strict=True)),
        dict(zip(figures, expected, strict=True)),
    )


def _first_key(day: date) -> UUID:
    """The smallest id of a round of this day or later."""
    midnight = milliseconds_of(datetime.combine(day, time(), ROME))
    return UUID(int=max(midnight, 0) << 80)
