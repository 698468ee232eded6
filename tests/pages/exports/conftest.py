"""A closed day, its bundle, and the persons who take it to the regulator."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.exports.models import Bundle
from payouts.models import DayClosing
from tests.casino_in_play import open_table
from tests.exports.closings import HOUR, log
from tests.exports.days import key_in
from tests.pages.conftest import person
from tests.pages.exports.on_the_way import CENTRE, work
from tests.pages.factors import give_phone
from tests.pages.reading import reader
from tests.payouts.days.midnight import DAY, NOON, arrive, close, dealt, settle_at


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    """Where bundles and the key lie."""
    key_in(tmp_path)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    settings.EXPORTS_FOLDER = str(tmp_path / "out")


@pytest.fixture
def closed(fresh_casino: str) -> DayClosing:
    """r-1 was settled, r-2 is held; the day is closed, and in the log."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR, held=True))
    settle_at()
    closing = close()
    log()
    return closing


@pytest.fixture
def built(closed: DayClosing, compliance: Client, tmp_path: Path) -> Bundle:
    """The day's bundle, as compliance asked for it."""
    compliance.post(f"{CENTRE}days/{DAY}/")
    work(tmp_path)
    return Bundle.objects.get()


@pytest.fixture
def compliance(fresh_casino: str) -> Client:
    """Where compliance has logged in."""
    user = person("compliance")
    give_phone(user)
    return reader(user)


@pytest.fixture
def giulia(fresh_casino: str) -> Client:
    """Where the supervisor has logged in."""
    user = person("supervisor")
    give_phone(user)
    return reader(user)
