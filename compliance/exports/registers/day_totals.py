"""The totals of a day by table and rule set, which the daily alignment and the tax base share."""

from typing import Final

from compliance.exports.registers.register import Column, cents, integer
from compliance.exports.registers.table_expressions import (
    BOOKED,
    BY_ROUND,
    CHANGED,
    CORRECTED,
    NUMBERED,
    PLAYED,
    STAGED,
    SUM_NAMES,
    sums_or_nothing,
)

_CHANGES: Final = ("open", "refunded", "winnings", "difference", "returned_chips")
_DAY_SUMS: Final = ", ".join(
    f"coalesce(sum(by_round.{name}), 0)::bigint AS {name}" for name in SUM_NAMES
)
_CHANGES_OR_NOTHING: Final = ", ".join(
    f"coalesce(earlier.{name}_change_cents, 0) AS {name}_change_cents" for name in _CHANGES
)
CHANGES_SUMMED: Final = ", ".join(
    f"sum({name}_change_cents)::bigint AS {name}_change_cents" for name in _CHANGES
)


def _change(name: str) -> str:
    """SQL: the change of a figure by a correction."""
    after = "0" if name == "open" else f"{name}_after_cents"
    return f"{after} - {name}_before_cents"


_CHANGED: Final = ", ".join(
    f"sum({_change(name)})::bigint AS {name}_change_cents" for name in _CHANGES
)
# Corrections of rounds booked on the day itself are part of its stages.
_COMBINED: Final = f"""
    of_day AS (
        SELECT staged.table_code, staged.rules, count(*) AS stages,
               count(*) FILTER (WHERE staged.kind = 'void') AS void_stages,
               count(*) FILTER (WHERE staged.kind IS NULL) AS open_stages,
               {_DAY_SUMS}
          FROM staged LEFT JOIN by_round ON by_round.round_id = staged.id
         GROUP BY staged.table_code, staged.rules
    ), earlier AS (
        SELECT table_code, rules, count(*) AS corrections,
               {_CHANGED}
          FROM corrected WHERE round_on < %(first_day)s
         GROUP BY table_code, rules
    ), combined AS (
        SELECT coalesce(of_day.table_code, earlier.table_code) AS table_code,
               coalesce(of_day.rules, earlier.rules) AS rules, coalesce(of_day.stages, 0) AS stages,
               coalesce(of_day.void_stages, 0) AS void_stages,
               coalesce(of_day.open_stages, 0) AS open_stages, {sums_or_nothing("of_day")},
               coalesce(earlier.corrections, 0) AS corrections,
               {_CHANGES_OR_NOTHING}
          FROM of_day FULL JOIN earlier
            ON earlier.table_code = of_day.table_code AND earlier.rules = of_day.rules
    )
"""
COMBINED_TOTALS: Final = (
    BOOKED,
    NUMBERED,
    STAGED,
    PLAYED,
    BY_ROUND,
    CHANGED,
    CORRECTED,
    _COMBINED,
)
STAGE_COUNTS: Final[tuple[Column, ...]] = (
    integer("stages", "stages of the day"),
    integer("void_stages", "of which void"),
    integer("open_stages", "of which not settled at the end of the day"),
)
CORRECTION_SUMS: Final[tuple[Column, ...]] = (
    integer("corrections", "corrections of rounds of earlier days"),
    *(
        cents(f"{name}_change_cents", f"by how much they change {name.replace('_', ' ')}")
        for name in _CHANGES
    ),
)
