"""The registers of a scope."""

from typing import Final

from compliance.exports.registers import REGISTERS
from compliance.exports.registers.register import Register
from compliance.exports.registers.tax_base import TAX_BASE
from compliance.exports.reports import REPORTS
from compliance.exports.scope import COMPLIANCE_REPORTS, Scope

_EXTRACT: Final = tuple(register for register in REGISTERS if register is not TAX_BASE)
"""Registers of an extract: the tax base exists for whole days only."""


def registers_of(of: Scope) -> tuple[Register, ...]:
    """The registers of a scope, in the order of the bundle."""
    if of.contents == COMPLIANCE_REPORTS:
        return REPORTS
    return REGISTERS if of.is_gaming_day else _EXTRACT
