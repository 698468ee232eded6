"""Fixtures for tests of exports, dossiers and certificates: a closed day and a signing key."""

from tests.casino.api.conftest import _no_collected_files
from tests.compliance.exports.conftest import day, key

__all__ = ["_no_collected_files", "day", "key"]
