"""A played day, the operator's bundle of it, and a stranger with a trusted certificate.

And a day on which two persons signed a decision.
"""

from tests.compliance.exports.conftest import day, operator, stranger
from tests.compliance.exports.decisions.conftest import module_day, signed

__all__ = ["day", "module_day", "operator", "signed", "stranger"]
