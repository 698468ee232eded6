"""Quotas limit what a customer's token can store (issue 17)."""

from threading import Thread
from typing import Any, Final

import pytest
from django.db import connection
from pytest_django import Settings

from payouts.disputes.models import Dispute, DisputeEvidence
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.disputes.dispute_requests import (
    PDF,
    contest,
    contested,
    hand_in,
    own,
    service,
)
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import play

_ROUNDS: Final = 6


@pytest.fixture
def rounds() -> None:
    """Settles this many rounds with bets of p-1."""
    play(*(baccarat_round(f"r-{number}") for number in range(1, _ROUNDS + 1)))


def statuses(program: Program, number: int) -> list[int]:
    """Opens a dispute about each of this many rounds."""
    return [
        contest(program, round=f"r-{n}", customer=None).status_code for n in range(1, number + 1)
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("rounds")
class TestDisputes:
    def test_of_a_customer_are_limited_per_day(self, settings: Settings) -> None:
        """429 has the limit, the number found and Retry-After."""
        settings.CUSTOMER_DISPUTES_A_DAY = 3

        assert statuses(own("p-1"), 3) == [201] * 3
        answer = contest(own("p-1"), round="r-4", customer=None)

        assert (answer.status_code, slug_of(answer)) == (429, "customer-quota-used")
        [error] = json_of(answer)["errors"]
        assert error == {
            "field": "disputes",
            "found": "3 disputes in one day",
            "needed": "at most 3 in one day",
        }
        assert 86_000 < int(answer.headers["Retry-After"]) <= 86_400

    def test_through_other_programs_count_as_well(self, settings: Settings) -> None:
        """Another token or key does not raise the quota."""
        settings.CUSTOMER_DISPUTES_A_DAY = 1
        contested(own("p-1"), round="r-1", customer=None)

        assert contest(service(), round="r-2").status_code == 429
        assert Dispute.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("rounds")
class TestFiles:
    @pytest.fixture
    def dispute(self) -> str:
        """A dispute of p-1."""
        return str(contested(own("p-1"), customer=None)["id"])

    def test_of_a_customer_are_limited_per_day(self, dispute: str, settings: Settings) -> None:
        """Files of all disputes count together."""
        settings.CUSTOMER_FILES_A_DAY = 2
        other = str(contested(own("p-1"), round="r-2", customer=None)["id"])

        first = [hand_in(own("p-1"), target).status_code for target in (dispute, other)]
        answer = hand_in(own("p-1"), dispute)

        assert first == [201, 201]
        assert (answer.status_code, slug_of(answer)) == (429, "customer-quota-used")
        assert json_of(answer)["errors"][0]["found"] == "2 files in one day"

    def test_are_limited_in_bytes_per_day(self, dispute: str, settings: Settings) -> None:
        """The size of the sent file is included."""
        settings.CUSTOMER_EVIDENCE_BYTES_A_DAY = 2 * len(PDF)

        statuses = [hand_in(own("p-1"), dispute).status_code for _ in range(3)]

        assert statuses == [201, 201, 429]

    def test_of_a_dispute_are_limited_in_bytes(self, dispute: str, settings: Settings) -> None:
        """The limit of a dispute does not reset."""
        settings.DISPUTE_EVIDENCE_BYTES = len(PDF)
        hand_in(own("p-1"), dispute)

        answer = hand_in(own("p-1"), dispute)

        assert (answer.status_code, slug_of(answer)) == (409, "evidence-full")
        assert json_of(answer)["errors"][0]["needed"] == f"at most {len(PDF)} bytes"
        assert DisputeEvidence.objects.count() == 1


@pytest.mark.usefixtures("fresh_casino")
class TestConcurrentUploads:
    @pytest.mark.slow
    def test_respect_the_quota(self, settings: Settings) -> None:
        """Twelve threads send at once; the database counts."""
        settings.CUSTOMER_DISPUTES_A_DAY = 3
        settings.CUSTOMER_FILES_A_DAY = 4
        play(*(baccarat_round(f"r-{number}") for number in range(1, _ROUNDS + 1)))
        first = str(contested(own("p-1"), round="r-1", customer=None)["id"])

        at_once(
            *[lambda n=n: contest(own("p-1"), round=f"r-{n}", customer=None) for n in range(2, 7)],
            *[lambda n=n: hand_in(own("p-1"), first, PDF + b"%d" % n) for n in range(7)],
        )

        assert Dispute.objects.count() == 3
        assert DisputeEvidence.objects.count() == 4


def at_once(*calls: Any) -> None:
    """Runs each call in a thread with its own connection."""

    def run(call: Any) -> None:
        try:
            call()
        finally:
            connection.close()

    threads = [Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
