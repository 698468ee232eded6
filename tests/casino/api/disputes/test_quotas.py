"""Quotas limit what a customer's token can store (issue 17)."""

from threading import Thread
from typing import Any, Final

import pytest
from django.db import connection
from pytest_django import Settings

from payouts.disputes.models import Dispute, DisputeEvidence
from tests.casino.api.calling import Program, json_of, slug_of
from tests.casino.api.disputes.complaining import PDF, contest, contested, hand_in, own, service
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import play

_ROUNDS: Final = 6


@pytest.fixture
def rounds() -> None:
    """So many rounds in which p-1 has bet."""
    play(*(baccarat_round(f"r-{number}") for number in range(1, _ROUNDS + 1)))


def statuses(program: Program, number: int) -> list[int]:
    """Contests so many rounds."""
    return [
        contest(program, round=f"r-{n}", customer=None).status_code for n in range(1, number + 1)
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("rounds")
class TestDisputes:
    def test_of_a_customer_are_so_many_a_day(self, settings: Settings) -> None:
        """The next is refused with the limit, what was found, and when to come again."""
        settings.CUSTOMER_DISPUTES_A_DAY = 3

        assert statuses(own("p-1"), 3) == [201] * 3
        answer = contest(own("p-1"), round="r-4", customer=None)

        assert (answer.status_code, slug_of(answer)) == (429, "customer-quota-used")
        [error] = json_of(answer)["errors"]
        assert error == {
            "field": "disputes",
            "found": "3 disputes within a day",
            "needed": "at most 3 within a day",
        }
        assert 86_000 < int(answer.headers["Retry-After"]) <= 86_400

    def test_through_programs_of_the_house_are_the_same_count(self, settings: Settings) -> None:
        """A new token, or another key, gives no more."""
        settings.CUSTOMER_DISPUTES_A_DAY = 1
        contested(own("p-1"), round="r-1", customer=None)

        assert contest(service(), round="r-2").status_code == 429
        assert Dispute.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("rounds")
class TestFiles:
    @pytest.fixture
    def dispute(self) -> str:
        """One of p-1's."""
        return str(contested(own("p-1"), customer=None)["id"])

    def test_of_a_customer_are_so_many_a_day(self, dispute: str, settings: Settings) -> None:
        """In all disputes together."""
        settings.CUSTOMER_FILES_A_DAY = 2
        other = str(contested(own("p-1"), round="r-2", customer=None)["id"])

        first = [hand_in(own("p-1"), target).status_code for target in (dispute, other)]
        answer = hand_in(own("p-1"), dispute)

        assert first == [201, 201]
        assert (answer.status_code, slug_of(answer)) == (429, "customer-quota-used")
        assert json_of(answer)["errors"][0]["found"] == "2 files within a day"

    def test_are_so_many_bytes_a_day(self, dispute: str, settings: Settings) -> None:
        """Counted with the one that is sent."""
        settings.CUSTOMER_EVIDENCE_BYTES_A_DAY = 2 * len(PDF)

        statuses = [hand_in(own("p-1"), dispute).status_code for _ in range(3)]

        assert statuses == [201, 201, 429]

    def test_of_a_dispute_are_so_many_bytes(self, dispute: str, settings: Settings) -> None:
        """However many days it takes."""
        settings.DISPUTE_EVIDENCE_BYTES = len(PDF)
        hand_in(own("p-1"), dispute)

        answer = hand_in(own("p-1"), dispute)

        assert (answer.status_code, slug_of(answer)) == (409, "evidence-full")
        assert json_of(answer)["errors"][0]["needed"] == f"at most {len(PDF)} bytes"
        assert DisputeEvidence.objects.count() == 1


@pytest.mark.usefixtures("fresh_casino")
class TestManyAtOnce:
    def test_have_no_more_than_one_after_another(self, settings: Settings) -> None:
        """Twelve threads contest and hand in; the count is kept by the database."""
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
    """Each in a thread with a connection of its own."""

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
