"""Customers read proofs that a closed day's totals count them, and nobody else's."""

import json
from pathlib import Path

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from casino.api.client import NotFound, Sabot
from casino.integrations.scopes import Scope
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.services.build_bundle import Exported
from payouts.gaming_days.models import DayClosing
from tests.casino.api.api_client import Program, customer_token, issued, json_of, slug_of
from tests.casino.api.web_server import served
from tests.compliance.exports.conftest import closed, key, proved
from tests.compliance.exports.day_closings import LOG_KEY_ID, log
from tests.compliance.exports.exported_days import exported
from tests.compliance.exports.verifier_runs import run_verifier
from tests.payouts.gaming_days.day_scenarios import DAY

__all__ = ["closed", "key", "proved"]


@pytest.fixture
def bundle(proved: DayClosing, key: SigningKey, tmp_path: Path, settings: Settings) -> Exported:
    """The bundle of the closed day; its record is not in the log yet."""
    settings.EXPORTS_FOLDER = str(tmp_path / "out")
    return exported(tmp_path / "out", key, day=DAY)


def answer_to(token: str, customer: str = "p-1", day: object = DAY) -> HttpResponse:
    """The answer to a token."""
    return Program(token).get(f"/api/v1/customers/{customer}/history/{day}/totals")


class TestTheTotalsOfADay:
    def test_are_a_proof_that_the_verifier_accepts(self, bundle: Exported, tmp_path: Path) -> None:
        """As answered to the customer's own token: 12.00 staked, 25.00 won."""
        log()

        answer = answer_to(customer_token("p-1"))

        path = tmp_path / "proof.json"
        path.write_bytes(answer.content)
        run = run_verifier(path, "--log-key", LOG_KEY_ID)
        assert (answer.status_code, run.status) == (200, 0), run.output
        assert "stakes_cents 1200, winnings_cents 2500, reversed_stakes_cents 0" in run.output

    def test_are_read_by_programs_of_customer_service(self, bundle: Exported) -> None:
        """With the scope of rounds, as a customer's token has it, and for all tables."""
        log()

        statuses = [
            answer_to(issued(**fields).token).status_code
            for fields in (
                {"scopes": [Scope.ROUNDS_READ]},
                {"scopes": [Scope.CUSTOMERS_READ]},
                {"tables": ["bac-1"]},
            )
        ]

        assert statuses == [200, 403, 404]

    def test_are_not_read_by_another_customer(self, bundle: Exported) -> None:
        """Refused like an unknown one; and an own proof has no text of the other."""
        log()

        others = answer_to(customer_token("p-2"))
        own = answer_to(customer_token("p-2"), "p-2")

        assert (others.status_code, own.status_code) == (404, 200)
        assert "p-1" not in own.content.decode()

    def test_are_none_of_other_days(self, bundle: Exported) -> None:
        """Open ones, those without a bundle, and texts that are no day."""
        log()

        for day in ("2026-11-11", "2026-11-09", "yesterday"):
            answer = answer_to(customer_token("p-1"), day=day)

            [error] = json_of(answer)["errors"]
            assert (answer.status_code, error["field"]) == (404, "path:day")

    @pytest.mark.slow
    def test_wait_for_the_log(self, bundle: Exported) -> None:
        """Some seconds."""
        early = answer_to(customer_token("p-1"))

        assert (early.status_code, slug_of(early)) == (409, "not-in-log")
        assert early["Retry-After"]

    def test_are_refused_by_a_changed_file(self, bundle: Exported) -> None:
        """The operator has it restored."""
        log()
        bundle.path.unlink()

        answer = answer_to(customer_token("p-1"))

        assert (answer.status_code, slug_of(answer)) == (409, "file-lost")

    @pytest.mark.slow
    def test_have_a_method_of_the_client(
        self, bundle: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With the sums of each share, from a server with the database rights of web hosts."""
        monkeypatch.setenv("SABOT_EXPORTS", str(tmp_path / "out"))
        log()
        with served(tmp_path, processes=1) as address, Sabot(address, issued().token) as sabot:
            proof = sabot.customers.day_totals("p-1", DAY)
            with pytest.raises(NotFound):
                sabot.customers.day_totals("p-1", DAY.replace(day=9))

        [game] = proof.games
        assert sum(share.winnings_cents for share in game.shares) == 2500
        assert json.loads(proof.record.record)[3] == "DAY_EXPORTED"
