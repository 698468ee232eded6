"""Customer service downloads a customer's proof of daily totals, or reads why there is none."""

import json
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.services.build_bundle import Exported
from payouts.gaming_days.models import DayClosing
from rounds.models import Customer
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.compliance.exports.conftest import closed, key, proved
from tests.compliance.exports.day_closings import LOG_KEY_ID, log
from tests.compliance.exports.exported_days import exported
from tests.compliance.exports.verifier_runs import run_verifier
from tests.payouts.gaming_days.day_scenarios import DAY, NEXT

__all__ = ["closed", "key", "proved"]


@pytest.fixture
def bundle(proved: DayClosing, key: SigningKey, tmp_path: Path, settings: Settings) -> Exported:
    """The bundle of the closed day; its record is not in the log yet."""
    settings.EXPORTS_FOLDER = str(tmp_path / "out")
    return exported(tmp_path / "out", key, day=DAY)


@pytest.fixture
def payments(proved: DayClosing) -> Client:
    """A browser of payments."""
    return reader(person("payments"))


def address(day: object, pseudonym: str = "p-1") -> str:
    """The address of a customer's proof."""
    return f"/admin/customers/{Customer.objects.get(pseudonym=pseudonym).pk}/totals/?day={day}"


def refusal(browser: Client, day: object) -> str:
    """The text of the page that a browser is led to."""
    answer = browser.get(address(day))
    assert answer.status_code == 302
    return plain(browser, answer["Location"])


class TestTheProofOfACustomer:
    def test_is_a_file_that_the_verifier_accepts(
        self, bundle: Exported, payments: Client, tmp_path: Path
    ) -> None:
        """Downloaded on the customer's page."""
        log()

        answer = payments.get(address(DAY))

        path = tmp_path / "proof.json"
        path.write_bytes(answer.content)
        run = run_verifier(path, "--log-key", LOG_KEY_ID)
        assert answer["Content-Disposition"] == f'attachment; filename="totals-{DAY}.json"'
        assert run.status == 0, run.output
        assert json.loads(answer.content)["customer"] == "p-1"
        assert "Proof of daily totals" in plain(
            payments, f"/admin/rounds/customer/{Customer.objects.get(pseudonym='p-1').pk}/change/"
        )

    def test_is_refused_with_the_reason(self, bundle: Exported, payments: Client) -> None:
        """No day, an open day, an export that is not logged yet, and a file that is gone."""
        assert "Choose a day" in refusal(payments, "tomorrow")
        assert "The day is not closed and exported" in refusal(payments, NEXT)
        assert "The export is not in the signed log yet" in refusal(payments, DAY)
        log()
        bundle.path.unlink()
        assert "file is missing or has changed" in refusal(payments, DAY)
