"""Two administrators and a payments clerk."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.casino.backoffice.people.people import browser_of, somebody


@pytest.fixture(autouse=True)
def _confirmed_logins() -> None:
    """Nobody has given a second factor yet: changes of access ask for it."""


@pytest.fixture
def ada(db: None) -> User:
    """An administrator."""
    return somebody("ada", "administrator", email="ada@casino.example")


@pytest.fixture
def bruno(db: None) -> User:
    """Another administrator."""
    return somebody("bruno", "administrator", email="bruno@casino.example")


@pytest.fixture
def clerk(db: None) -> User:
    """A payments clerk, who proposes and approves decisions about money."""
    return somebody("clerk", "payments", email="clerk@casino.example")


@pytest.fixture
def at_ada(ada: User) -> Client:
    """The first administrator's browser."""
    return browser_of(ada)


@pytest.fixture
def at_bruno(bruno: User) -> Client:
    """The second administrator's browser."""
    return browser_of(bruno)
