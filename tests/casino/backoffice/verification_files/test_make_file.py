"""Who makes verification files, for whom, and what is recorded."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from casino.access.roles import REPLAY_LINK_ROLES
from compliance.trail.models import AuditRecord
from rounds.models import Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.verification_files.files import log_and_cosign, settled_round
from tests.casino.verification_page import write_page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def page_file(settings: Settings, tmp_path: Path) -> Path:
    """The page of this installation."""
    settings.LOG_POLICY = settings.LOG_POLICY  # ends with the test
    settings.VERIFICATION_PAGE = write_page(tmp_path)
    return Path(settings.VERIFICATION_PAGE)


@pytest.fixture
def row() -> Round:
    """A settled round whose records are logged and cosigned."""
    made = settled_round()
    log_and_cosign()
    return made


def _address(row: Round) -> str:
    return f"/admin/rounds/{row.pk}/verification-file/"


def _filled_in(**other: Any) -> dict[str, Any]:
    form = {"audience": "customer", "recipient": "ticket 12", "customer": "p-1"}
    return {**form, "purpose": "complaint", **other}


@pytest.mark.parametrize("role", REPLAY_LINK_ROLES)
def test_is_made_on_the_page_of_the_round(row: Round, role: str) -> None:
    """It is downloaded, and recorded with its reader; it holds that customer's bets."""
    maker = reader(person(role))
    assert "Make a verification file" in plain(maker, f"/admin/rounds/round/{row.pk}/change/")

    answer = maker.post(_address(row), _filled_in())

    assert answer["Content-Disposition"] == 'attachment; filename="verification-r-1.html"'
    assert getattr(answer, "is_saved", False)  # so that its draft is not offered again
    [text] = re.findall(r"^before<script[^>]*>(.*)</script>after$", answer.content.decode())
    file = json.loads(text)
    assert [bet["id"] for bet in file["document"]["bets"]] == ["b-1"]
    record = AuditRecord.objects.get(action="VERIFICATION_FILE_MADE")
    assert (record.subject, record.details) == (
        "round:r-1",
        {"for": "customer", "recipient": "ticket 12", "customer": "p-1", "purpose": "complaint"},
    )


def test_of_the_regulator_has_all_bets(row: Round) -> None:
    """And the state in which the round arrived."""
    answer = reader(person("compliance")).post(
        _address(row), _filled_in(audience="regulator", customer="")
    )

    text = answer.content.decode()
    assert '"b-1"' in text
    assert '"b-2"' in text


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("customer", "", "Choose the customer whose bets are shown."),
        ("purpose", "", "This field is required."),
        ("recipient", " ", "This field is required."),
    ],
)
def test_needs_a_reader(row: Round, field: str, value: str, message: str) -> None:
    """Each fault is named at its field, and nothing is recorded."""
    answer = reader(person("compliance")).post(_address(row), _filled_in(**{field: value}))

    assert message in html.unescape(answer.content.decode())
    assert not AuditRecord.objects.filter(action="VERIFICATION_FILE_MADE").exists()


def test_waits_for_the_log() -> None:
    """The page says that it takes a few seconds."""
    row = settled_round()

    answer = reader(person("compliance")).post(_address(row), _filled_in())

    assert "The record is not in the signed log yet." in answer.content.decode()


def test_is_not_offered_without_its_page(row: Round, page_file: Path) -> None:
    """An installation that has not built it."""
    page_file.unlink()
    maker = reader(person("compliance"))

    assert "Make a verification file" not in plain(maker, f"/admin/rounds/round/{row.pk}/change/")
    answer = maker.post(_address(row), _filled_in())
    assert "The page of verification files is not installed here." in answer.content.decode()
    assert not AuditRecord.objects.filter(action="VERIFICATION_FILE_MADE").exists()
