"""Evidence is scanned by ClamAV's daemon, a real one, before it is stored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from casino.operations.checks.check_result import State
from casino.operations.checks.host import scanner_answers
from payouts.disputes.models import Dispute, DisputeEvidence
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.disputes.dispute_requests import PDF, hand_in, service
from tests.clamd import NAME, VIRUS, clamd
from tests.payouts.disputes.dispute_scenarios import disputed, play

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def scanner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of the daemon."""
    with clamd(tmp_path_factory.mktemp("clamd")) as path:
        yield path


@pytest.fixture
def dispute() -> str:
    """The number of an open dispute."""
    play()
    opened: Dispute = disputed()
    return str(opened)


def test_a_virus_is_not_stored(scanner: Path, dispute: str, settings: Settings) -> None:
    """The error names the file and what was found; a clean file of any size allowed is stored."""
    settings.CLAMD = f"unix:{scanner}"
    program, padding = service(), bytes(9_000_000)

    infected = hand_in(program, dispute, PDF + padding + VIRUS, name="letter.pdf")
    clean = hand_in(program, dispute, PDF + padding, name="letter.pdf")

    [error] = json_of(infected)["errors"]
    assert (infected.status_code, clean.status_code) == (422, 201)
    assert error["found"] == f"letter.pdf: {NAME}.UNOFFICIAL"
    assert error["needed"] == "a file without a virus"
    assert DisputeEvidence.objects.count() == 1


def test_nothing_is_stored_unscanned(dispute: str, settings: Settings, tmp_path: Path) -> None:
    """Where the scanner does not answer the program sends the file again later."""
    settings.CLAMD = f"unix:{tmp_path / 'nobody.sock'}"

    answer = hand_in(service(), dispute, PDF, name="letter.pdf")

    assert (answer.status_code, slug_of(answer)) == (503, "file-not-scanned")
    assert not DisputeEvidence.objects.exists()


def test_doctor_asks_the_scanner(scanner: Path, settings: Settings, tmp_path: Path) -> None:
    """For an answer, and for the age of its signatures: those of the tests have no date."""
    found = []
    for address in ("", f"unix:{scanner}", f"unix:{tmp_path / 'nobody.sock'}", "127.0.0.1:3310"):
        settings.CLAMD = address
        found.append(scanner_answers())

    assert [result.state for result in found] == [
        State.OK,
        State.WARNING,
        State.ERROR,
        State.ERROR,
    ]
    assert "needed unix:/PATH or tcp:HOST:PORT" in found[-1].detail
