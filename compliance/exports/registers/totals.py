"""The registers of totals: daily alignment and tax base."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import COUNTS, MONEY, RULES, TABLE
from compliance.exports.registers.register import Column, Register, cents, integer, text
from compliance.exports.registers.table_expressions import (
    BOOKED,
    BY_ROUND,
    CHANGED,
    CORRECTED,
    NUMBERED,
    PLAYED,
    STAGED,
    SUM_NAMES,
    SUMMED,
    sums_or_nothing,
)

_CHANGES: Final = ("open", "refunded", "winnings", "difference", "returned_chips")
_DAY_SUMS: Final = ", ".join(
    f"coalesce(sum(by_round.{name}), 0)::bigint AS {name}" for name in SUM_NAMES
)
_CHANGES_OR_NOTHING: Final = ", ".join(
    f"coalesce(earlier.{name}_change_cents, 0) AS {name}_change_cents" for name in _CHANGES
)
_CHANGES_SUMMED: Final = ", ".join(
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
_WITH: Final = f"""
    {BOOKED}, {NUMBERED}, {STAGED}, {PLAYED}, {BY_ROUND}, {CHANGED}, {CORRECTED}, {_COMBINED}
"""
_STAGES: Final[tuple[Column, ...]] = (
    integer("stages", "stages of the day"),
    integer("void_stages", "of which void"),
    integer("open_stages", "of which not settled at the end of the day"),
)
_CORRECTIONS: Final[tuple[Column, ...]] = (
    integer("corrections", "corrections of rounds of earlier days"),
    *(
        cents(f"{name}_change_cents", f"by how much they change {name.replace('_', ' ')}")
        for name in _CHANGES
    ),
)

ALIGNMENT: Final = Register(
    key="alignment",
    version=1,
    row="total",
    title=gettext_noop("Daily alignment"),
    about="Totals of the day by table and rule set: its stages, and the changes by corrections of"
    " earlier days.",
    pgda="daily alignment",
    columns=(TABLE, RULES, *_STAGES, *COUNTS, *MONEY, *_CORRECTIONS),
    query=f"""
        WITH {_WITH}
        SELECT combined.*, table_code AS "table" FROM combined
    """,
    order=('line."table" COLLATE "C"', 'line.rules COLLATE "C"'),
)

# A rate of the game takes precedence over one for all games, a later over an earlier one.
# Those that nobody signed do not count.
_RATE: Final = """
    SELECT rate.per_million FROM exports_taxrate AS rate
     WHERE rate.id = ANY(%(tax_rates)s::bigint[])
       AND rate.game IN (total.game, '') AND rate.in_force_from <= %(last_day)s
     ORDER BY (rate.game = '')::int, rate.in_force_from DESC, rate.decided_at DESC
     LIMIT 1
"""

TAX_BASE: Final = Register(
    key="tax_base",
    version=1,
    row="base",
    title=gettext_noop("Tax base"),
    about="Stakes minus winnings by game, including corrections of earlier days; the tax if the"
    " operator has set a rate, rounded to the nearest cent, half away from zero. Negative"
    " values are kept.",
    pgda="none: base of the single tax",
    columns=(
        text("game", "the game, without its version", plain=True),
        *_STAGES,
        *MONEY,
        *_CORRECTIONS,
        cents("base_cents", "difference of stages and corrections"),
        integer("rate_per_million", "the rate in force; empty if none", optional=True),
        cents("tax_cents", "base times rate; empty without a rate", optional=True),
    ),
    query=f"""
        WITH {_WITH}, total AS (
            SELECT split_part(rules, '/', 1) AS game, sum(stages)::bigint AS stages,
                   sum(void_stages)::bigint AS void_stages, sum(open_stages)::bigint AS open_stages,
                   {SUMMED}, sum(corrections)::bigint AS corrections,
                   {_CHANGES_SUMMED},
                   sum(difference_cents + difference_change_cents)::bigint AS base_cents
              FROM combined GROUP BY 1
        )
        SELECT total.*, in_force.per_million AS rate_per_million,
               round(total.base_cents * in_force.per_million / 1000000.0)::bigint AS tax_cents
          FROM total LEFT JOIN LATERAL ({_RATE}) AS in_force ON true
    """,
    order=('line.game COLLATE "C"',),
)
