"""Daily totals: those that settlements kept against the sum of the settlements booked on the day.

A settlement counts on the day on which it is booked, and the one that it replaced is taken off on
that day too: while a day is open that is what the latest settlements of its rounds come to.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.trail.stretches import Stretch
from payouts.reconciling.closings import check_closings
from payouts.reconciling.found import Difference, Found, Kind
from payouts.reconciling.reading import rows_of
from rounds.gaming_day import ROME
from rounds.storage import milliseconds_of

_ROUND_FIGURES: Final = ("rounds", "void_rounds")
_BET_FIGURES: Final = (
    "bets",
    "void_bets",
    "staked_cents",
    "staked_chips_cents",
    "payout_cents",
    "payout_chips_cents",
)
# The last hour of the year 9999 keeps its own day (``rounds.gaming_day``).
_DAY: Final = "LEAST((round.opened_at AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')"
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
    SELECT settled.day, round.table_id, round.rules, sum(sign) AS rounds,
           sum(sign * (settled.kind = 'void')::int) AS void_rounds
      FROM ({_BOOKED}) AS settled JOIN rounds_round AS round ON round.id = settled.round_id
     WHERE {{id}}
     GROUP BY 1, 2, 3
"""  # noqa: S608  no text from outside
_BETS: Final = f"""
    SELECT settled.day, round.table_id, round.rules, bet.kind, sum(sign) AS bets,
           sum(sign * (paid.outcome = 'void' AND paid.payout_cents > 0)::int) AS void_bets,
           sum(sign * (bet.stake_cents + bet.raised_cents)) AS staked_cents,
           sum(sign * CASE WHEN bet.golden THEN bet.stake_cents ELSE 0 END) AS staked_chips_cents,
           sum(sign * paid.payout_cents) AS payout_cents,
           sum(sign * paid.chips_cents) AS payout_chips_cents
      FROM ({_BOOKED}) AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id
      JOIN rounds_bet AS bet ON bet.round_id = settled.round_id
      JOIN payouts_betsettlement AS paid
        ON paid.round_id = settled.round_id AND paid.sequence = settled.sequence
       AND paid.bet_number = bet.number
     WHERE {{id}} AND {{bet}} AND {{paid}}
     GROUP BY 1, 2, 3, 4
"""  # noqa: S608  no text from outside
# Rounds of other days whose settlements are booked here are few, and are looked up by their ids.
_LATE: Final = """
    = ANY(ARRAY(SELECT round_id FROM payouts_settlement AS settled WHERE {which}))
"""
_KEPT: Final = "SELECT {keys}, {sums} FROM {table} WHERE {day} GROUP BY {keys}"
_UNLIKE: Final = """
    SELECT {keys}, (SELECT code FROM rounds_table WHERE id = table_id),
           {kept_figures}, {made_figures}
      FROM ({kept}) AS kept FULL JOIN ({made}) AS made USING ({keys})
     WHERE ({kept_figures}) <> ({made_figures})
     ORDER BY {keys}
"""
_DAYS: Final = f"""
    SELECT DISTINCT {_DAY} AS day FROM rounds_round AS round WHERE {{id}}
     UNION SELECT day FROM payouts_dailyrounds WHERE {{day}}
     UNION SELECT day FROM payouts_dailybets WHERE {{day}}
     ORDER BY day
"""  # noqa: S608  no text from outside


class Days(NamedTuple):
    """Days of play in Rome, both included; None where it is open."""

    first: date | None
    last: date | None

    @property
    def keys(self) -> Stretch:
        """The ids of the rounds of these days, which carry the time of their opening.

        Rounds of a clock that stood before 1970 are the first of all.
        """
        after = None if self.last is None or self.last == date.max else self.last + _A_DAY
        return Stretch(*(None if day is None else _first_key(day) for day in (self.first, after)))

    def holds(self, column: str) -> str:
        """SQL: whether a column of days lies among them."""
        least = f"{column} >= '{self.first}'" if self.first is not None else "true"
        return least if self.last is None else f"{least} AND {column} <= '{self.last}'"


def cut_days(within: Days) -> list[Days]:
    """Every day with a round or a total by itself, without a gap between."""
    named = _DAYS.format(id=within.keys.holds("round.id"), day=within.holds("day"))
    starts = [day for (day,) in rows_of(named)]
    firsts = [within.first, *starts[1:]]
    lasts = [day - _A_DAY for day in starts[1:]]
    return [Days(*ends) for ends in zip(firsts, [*lasts, within.last], strict=True)]


def check_days(days: Days, found: Found) -> None:
    """The totals of these days, by table, rule set and kind of bet, and those that are closed."""
    keys, booked = days.keys, days.holds("settled.booked_on")
    of_play = keys.holds("settled.round_id")
    late = f"{booked} AND NOT ({of_play})"
    rounds = {
        "id": "round.id",
        "bet": "bet.round_id",
        "paid": "paid.round_id",
    }
    usual = {name: keys.holds(column) for name, column in rounds.items()}
    others = {name: column + _LATE.format(which=late) for name, column in rounds.items()}
    for kind, table, names, figures, made in (
        (Kind.DAY_ROUNDS, "payouts_dailyrounds", _KEYS, _ROUND_FIGURES, _ROUNDS),
        (Kind.DAY_BETS, "payouts_dailybets", (*_KEYS, "kind"), _BET_FIGURES, _BETS),
    ):
        made_of = _sum_of(
            (
                made.format(which=f"{booked} AND {of_play}", **usual),
                made.format(which=late, **others),
            ),
            names,
            figures,
        )
        unlike = _unlike(table, names, figures, days.holds("day"), made_of)
        for row in rows_of(unlike):
            found.add(_difference(kind, row, names, figures))
    check_closings(days.holds("day"), found)


def _sum_of(parts: Iterable[str], names: tuple[str, ...], figures: tuple[str, ...]) -> str:
    keys, sums = ", ".join(names), ", ".join(f"sum({one}) AS {one}" for one in figures)
    together = " UNION ALL ".join(parts)
    return f"SELECT {keys}, {sums} FROM ({together}) AS made GROUP BY {keys}"  # noqa: S608  our own


def _unlike(
    table: str, names: tuple[str, ...], figures: tuple[str, ...], day: str, made: str
) -> str:
    keys = ", ".join(names)
    sums = ", ".join(f"sum({figure}) AS {figure}" for figure in figures)
    return _UNLIKE.format(
        keys=keys,
        kept=_KEPT.format(keys=keys, sums=sums, table=table, day=day),
        made=made,
        kept_figures=_figures("kept", figures),
        made_figures=_figures("made", figures),
    )


def _figures(side: str, figures: tuple[str, ...]) -> str:
    return ", ".join(f"coalesce({side}.{figure}, 0)::bigint" for figure in figures)


def _difference(
    kind: Kind, row: tuple[Any, ...], names: tuple[str, ...], figures: tuple[str, ...]
) -> Difference:
    day, _table_id, *others = row[: len(names)]
    about = {"day": day.isoformat(), "table": row[len(names)]}
    about |= dict(zip(("rules", "bet_kind"), others, strict=False))
    kept = row[len(names) + 1 : len(names) + 1 + len(figures)]
    made = row[len(names) + 1 + len(figures) :]
    return Difference(
        kind, about, dict(zip(figures, kept, strict=True)), dict(zip(figures, made, strict=True))
    )


def _first_key(day: date) -> UUID:
    """No round of this day or later has a smaller id."""
    midnight = milliseconds_of(datetime.combine(day, time(), ROME))
    return UUID(int=max(midnight, 0) << 80)


_KEYS: Final = ("day", "table_id", "rules")
_A_DAY: Final = timedelta(days=1)
