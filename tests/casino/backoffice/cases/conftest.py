"""Two persons in two browsers, and rounds that went wrong."""

import pytest
from django.test import Client

from tests.casino.backoffice.cases.case_forms import browser_of, named
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines


@pytest.fixture
def giulia(db: None) -> Client:
    """A supervisor who reads English."""
    return browser_of(named("Giulia", "supervisor"))


@pytest.fixture
def lorenzo(db: None) -> Client:
    """A compliance officer with a phone."""
    person = named("Lorenzo", "compliance")
    give_phone(person)
    return browser_of(person)


@pytest.fixture
def rounds(db: None) -> None:
    """Two settled rounds, and one with a card too many."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), held_baccarat_round("r-3")))
    settle()
