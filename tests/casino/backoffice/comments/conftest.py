"""A browser on the server of the other page tests."""

from tests.casino.backoffice.site.conftest import address, page

__all__ = ["address", "page"]
