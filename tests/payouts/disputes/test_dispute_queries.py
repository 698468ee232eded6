"""Reading disputes: by name, state and customer."""

import json

import pytest

from payouts.disputes.queries import (
    dispute_named,
    disputes_about,
    disputes_in,
    disputes_taken_by,
    finding_for_customer,
    open_disputes,
)
from payouts.disputes.status import State
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.disputes.dispute_scenarios import PAOLO, close, disputed, play, reject, take
from tests.payouts.settlement.resettlement_scenarios import stored

pytestmark = pytest.mark.django_db


class TestDisputes:
    def test_are_found_by_their_names(self) -> None:
        """Other texts find none."""
        play()
        dispute = disputed()

        assert dispute_named(str(dispute)) == dispute
        for wrong in ("D-0", "D-9999999", "d-0001", "D-0001 ", "", "D-" + "9" * 30):
            assert dispute_named(wrong) is None

    def test_are_filtered_by_state(self) -> None:
        """By the latest step."""
        play()
        first, second = disputed(), disputed(pseudonym="p-2")
        take(first)

        assert list(disputes_in(State.IN_REVIEW)) == [first]
        assert list(disputes_in(State.OPENED)) == [second]
        assert list(disputes_taken_by(PAOLO.user_id or 0)) == [first]
        assert list(disputes_about(stored().id)) == [second, first]
        reject(first)
        close(first)
        assert list(open_disputes()) == [second]
        assert list(disputes_in(State.CLOSED)) == [first]


class TestAFindingForTheCustomer:
    def test_names_no_other_customer(self) -> None:
        """Only the number of similar bets."""
        bets = [
            baccarat_bet("b1", "player", "10.00"),
            baccarat_bet("b-other", "player", "10.00", player="p-secret"),
        ]
        play(baccarat_round("r-1", bets=bets))
        disputed(pseudonym="p-secret")

        finding = finding_for_customer(disputed())

        assert finding["bets"][0]["siblings"] == {"count": 1}
        for hidden in ("p-secret", "b-other", "D-"):
            assert hidden not in json.dumps(finding)
