"""A played day, the operator's bundle of it, and a stranger with a trusted certificate."""

from tests.compliance.exports.conftest import day, operator, stranger

__all__ = ["day", "operator", "stranger"]
