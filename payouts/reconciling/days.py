"""Daily totals: those that settlements kept against the sum of the latest settlements."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.trail.stretches import Stretch
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
_LATEST: Final = """
    SELECT DISTINCT ON (round_id) round_id, sequence, kind
      FROM payouts_settlement WHERE {round_id} ORDER BY round_id, sequence DESC
"""
_ROUNDS: Final = f"""
    SELECT {_DAY} AS day, round.table_id, round.rules, count(*) AS rounds,
           count(*) FILTER (WHERE settled.kind = 'void') AS void_rounds
      FROM ({_LATEST}) AS settled JOIN rounds_round AS round ON round.id = settled.round_id
     WHERE {{id}}
     GROUP BY 1, 2, 3
"""  # noqa: S608  no text from outside
_BETS: Final = f"""
    SELECT {_DAY} AS day, round.table_id, round.rules, bet.kind, count(*) AS bets,
           count(*) FILTER (WHERE paid.outcome = 'void' AND paid.payout_cents > 0) AS void_bets,
           sum(bet.stake_cents + bet.raised_cents) AS staked_cents,
           coalesce(sum(bet.stake_cents) FILTER (WHERE bet.golden), 0) AS staked_chips_cents,
           sum(paid.payout_cents) AS payout_cents, sum(paid.chips_cents) AS payout_chips_cents
      FROM ({_LATEST}) AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id
      JOIN rounds_bet AS bet ON bet.round_id = settled.round_id
      JOIN payouts_betsettlement AS paid
        ON paid.round_id = settled.round_id AND paid.sequence = settled.sequence
       AND paid.bet_number = bet.number
     WHERE {{id}} AND {{bet_round}} AND {{paid_round}}
     GROUP BY 1, 2, 3, 4
"""  # noqa: S608  no text from outside
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
    """The totals of these days, by table, rule set and kind of bet."""
    keys = days.keys
    where = {
        "round_id": keys.holds("round_id"),
        "id": keys.holds("round.id"),
        "bet_round": keys.holds("bet.round_id"),
        "paid_round": keys.holds("paid.round_id"),
    }
    for kind, table, names, figures, made in (
        (Kind.DAY_ROUNDS, "payouts_dailyrounds", _KEYS, _ROUND_FIGURES, _ROUNDS),
        (Kind.DAY_BETS, "payouts_dailybets", (*_KEYS, "kind"), _BET_FIGURES, _BETS),
    ):
        unlike = _unlike(table, names, figures, days.holds("day"), made.format(**where))
        for row in rows_of(unlike):
            found.add(_difference(kind, row, names, figures))


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
