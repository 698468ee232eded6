"""No collected static files, as for the other tests of the API."""

from tests.casino.api.conftest import _no_collected_files

__all__ = ["_no_collected_files"]
