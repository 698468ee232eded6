"""What tests of one process share because its start is dear: web servers and the browser."""

from contextlib import ExitStack
from typing import Final

kept: Final = ExitStack()
"""Closed after the last test of this process (tests/conftest.py)."""
