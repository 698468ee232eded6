"""What calls of the API need in tests."""

from tests.payouts.api.conftest import _no_collected_files

__all__ = ["_no_collected_files"]
