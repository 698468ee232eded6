"""The register of the tax base."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import MONEY
from compliance.exports.registers.day_totals import (
    CHANGES_SUMMED,
    COMBINED_TOTALS,
    CORRECTION_SUMS,
    STAGE_COUNTS,
)
from compliance.exports.registers.register import Register, cents, integer, text
from compliance.exports.registers.table_expressions import SUMMED

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
        *STAGE_COUNTS,
        *MONEY,
        *CORRECTION_SUMS,
        cents("base_cents", "difference of stages and corrections"),
        integer("rate_per_million", "the rate in force; empty if none", optional=True),
        cents("tax_cents", "base times rate; empty without a rate", optional=True),
    ),
    tables=COMBINED_TOTALS,
    select=f"""
        WITH total AS (
            SELECT split_part(rules, '/', 1) AS game, sum(stages)::bigint AS stages,
                   sum(void_stages)::bigint AS void_stages, sum(open_stages)::bigint AS open_stages,
                   {SUMMED}, sum(corrections)::bigint AS corrections,
                   {CHANGES_SUMMED},
                   sum(difference_cents + difference_change_cents)::bigint AS base_cents
              FROM combined GROUP BY 1
        )
        SELECT total.*, in_force.per_million AS rate_per_million,
               round(total.base_cents * in_force.per_million / 1000000.0)::bigint AS tax_cents
          FROM total LEFT JOIN LATERAL ({_RATE}) AS in_force ON true
    """,
    order=('line.game COLLATE "C"',),
)
