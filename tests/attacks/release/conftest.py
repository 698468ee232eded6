"""A release that this process runs from."""

from tests.compliance.release.conftest import release

__all__ = ["release"]
