"""Sessions as the login leaves them: these tests are about what is asked for later."""

import pytest


@pytest.fixture(autouse=True)
def _confirmed_logins() -> None:
    """Nobody has given a second factor yet."""
