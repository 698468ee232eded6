"""The registers of a gaming day, declared: columns, types, and the query that gives the rows.

Money is told the same way in all of them, golden chips apart from cash, in cents:

    staked - open - refunded - winnings = difference

``open`` is what was staked in rounds that have no settlement yet, ``refunded`` what went back for
void bets, ``winnings`` what was paid to bets that counted, their own stakes included.
"""

from typing import Final

from compliance.exports.registers.bets import BETS
from compliance.exports.registers.corrections import CORRECTIONS
from compliance.exports.registers.malfunctions import MALFUNCTIONS
from compliance.exports.registers.participations import PARTICIPATIONS
from compliance.exports.registers.register import Register
from compliance.exports.registers.rule_sets import RULE_SETS_IN_FORCE
from compliance.exports.registers.sessions import SESSIONS
from compliance.exports.registers.stages import STAGES
from compliance.exports.registers.totals import ALIGNMENT, TAX_BASE

REGISTERS: Final[tuple[Register, ...]] = (
    SESSIONS,
    PARTICIPATIONS,
    STAGES,
    BETS,
    CORRECTIONS,
    MALFUNCTIONS,
    RULE_SETS_IN_FORCE,
    ALIGNMENT,
    TAX_BASE,
)
"""In the order in which a bundle holds them."""
