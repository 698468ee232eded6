"""The persons, browsers and settings that tests of pages have."""

from tests.casino.backoffice.conftest import _keys_in_files, _plain_static_files, desk, signer
from tests.casino.backoffice.people.conftest import ada, at_ada, at_bruno, bruno, clerk
from tests.casino.conftest import _web_servers

__all__ = [
    "_keys_in_files",
    "_plain_static_files",
    "_web_servers",
    "ada",
    "at_ada",
    "at_bruno",
    "bruno",
    "clerk",
    "desk",
    "signer",
]
