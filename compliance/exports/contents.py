"""Which registers tell what was asked for."""

from typing import Final

from compliance.exports.registers import REGISTERS
from compliance.exports.registers.register import Register
from compliance.exports.registers.totals import TAX_BASE
from compliance.exports.reports import REPORTS
from compliance.exports.scope import STANDING_REPORTS, Scope

_EXTRACT: Final = tuple(one for one in REGISTERS if one is not TAX_BASE)
"""The tax is owed for whole days and has its rate by the day."""


def registers_of(of: Scope) -> tuple[Register, ...]:
    """In the order in which a bundle holds them."""
    if of.contents == STANDING_REPORTS:
        return REPORTS
    return REGISTERS if of.is_gaming_day else _EXTRACT
