"""Fixtures for tests of exports: a closed day, its bundle, and those who sign."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.exports.models import Bundle
from payouts.gaming_days.models import DayClosing
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.exports.bundle_steps import CENTRE, work
from tests.casino.backoffice.page_reader import reader
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import open_table
from tests.compliance.exports.day_closings import HOUR, log
from tests.compliance.exports.exported_days import key_in
from tests.payouts.gaming_days.day_scenarios import DAY, NOON, arrive, close, dealt, settle_at


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    """The folder of bundles and the key."""
    key_in(tmp_path)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    settings.EXPORTS_FOLDER = str(tmp_path / "out")


@pytest.fixture
def closed(fresh_casino: str) -> DayClosing:
    """A closed and logged day: r-1 was settled, r-2 is held."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR, held=True))
    settle_at()
    closing = close()
    log()
    return closing


@pytest.fixture
def built(closed: DayClosing, compliance: Client, tmp_path: Path) -> Bundle:
    """The day's bundle, requested by compliance."""
    compliance.post(f"{CENTRE}days/{DAY}/")
    work(tmp_path)
    return Bundle.objects.get()


@pytest.fixture
def compliance(fresh_casino: str) -> Client:
    """A browser of compliance."""
    user = person("compliance")
    give_phone(user)
    return reader(user)


@pytest.fixture
def giulia(fresh_casino: str) -> Client:
    """A browser of the supervisor."""
    user = person("supervisor")
    give_phone(user)
    return reader(user)
