"""The register of the daily alignment."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import COUNTS, MONEY, RULES, TABLE
from compliance.exports.registers.day_totals import COMBINED_TOTALS, CORRECTION_SUMS, STAGE_COUNTS
from compliance.exports.registers.register import Register

ALIGNMENT: Final = Register(
    key="alignment",
    version=1,
    row="total",
    title=gettext_noop("Daily alignment"),
    about="Totals of the day by table and rule set: its stages, and the changes by corrections of"
    " earlier days.",
    pgda="daily alignment",
    columns=(TABLE, RULES, *STAGE_COUNTS, *COUNTS, *MONEY, *CORRECTION_SUMS),
    tables=COMBINED_TOTALS,
    select="""
        SELECT combined.*, table_code AS "table" FROM combined
    """,
    order=('line."table" COLLATE "C"', 'line.rules COLLATE "C"'),
)
