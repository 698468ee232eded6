"""The small casino in which changes are planted."""

from collections.abc import Callable

import pytest

from tests.attacks.integrity.planted import play
from tests.conftest import NewTemplate


@pytest.fixture(scope="session")
def planted_template(new_template: NewTemplate, casino_template: str) -> str:
    """Made once for all tests."""
    return new_template("planted", play, template=casino_template)


@pytest.fixture
def small_casino(planted_template: str, copy_of: Callable[[str], str]) -> str:
    """A copy of it; gives its URL."""
    return copy_of(planted_template)
