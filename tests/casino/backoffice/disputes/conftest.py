"""Fixtures for tests of the pages of disputes."""

import pytest
from django.test import Client

from tests.casino.backoffice.cases.case_forms import browser_of, named
from tests.casino.backoffice.second_factors import give_phone


@pytest.fixture
def anna() -> Client:
    """A payments clerk, who opens disputes and writes to customers."""
    return browser_of(named("Anna", "payments"))


@pytest.fixture
def lorenzo() -> Client:
    """A compliance officer with a phone, who decides."""
    person = named("Lorenzo", "compliance")
    give_phone(person)
    return browser_of(person)
