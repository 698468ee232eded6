"""The registers of a gaming day, declared: columns, types, and the query that gives the rows.

All of them report money in cents in the same columns, golden chips separate from cash:

    staked - open - refunded - winnings = difference

``open`` are stakes in rounds without settlement, ``refunded`` the refunds of void bets,
``winnings`` the payouts of valid bets, stakes included.
"""

from typing import Final

from compliance.exports.registers.bets import BETS
from compliance.exports.registers.corrections import CORRECTIONS
from compliance.exports.registers.daily_alignment import ALIGNMENT
from compliance.exports.registers.malfunctions import MALFUNCTIONS
from compliance.exports.registers.participations import PARTICIPATIONS
from compliance.exports.registers.register import Register
from compliance.exports.registers.rule_sets import RULE_SETS_IN_FORCE
from compliance.exports.registers.sessions import SESSIONS
from compliance.exports.registers.stages import STAGES
from compliance.exports.registers.tax_base import TAX_BASE

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
"""In the order of the bundle."""
