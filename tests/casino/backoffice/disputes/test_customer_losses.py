"""The warning before a remedy that takes money from the customer who complains."""

import pytest
from django.test import Client

from payouts.cases.models import Case
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.status import State
from tests.casino.api.api_client import json_of
from tests.casino.api.disputes.dispute_requests import DISPUTES
from tests.casino.api.studio import studio
from tests.casino.backoffice.disputes.dispute_forms import address, decide, do
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.disputes.dispute_scenarios import CITED, REASONS, disputed, play, state_of

pytestmark = pytest.mark.django_db
SAID = {"remedy": "refund", "reason": "bet-not-intended"}


@pytest.fixture
def dispute(lorenzo: Client) -> Dispute:
    """A dispute of p-1, who won 20.00 with 10.00; Lorenzo has taken it."""
    play(baccarat_round("r-1", bets=[baccarat_bet("b1", "player", "10.00")]))
    dispute = disputed()
    do(lorenzo, dispute, "take")
    return dispute


def test_it_is_red_and_names_the_amount(lorenzo: Client, dispute: Dispute) -> None:
    """With a required checkbox; a credit has no warning."""
    page = page_html(lorenzo.get(address(dispute), {"remedy": "refund"}))
    credit = page_html(lorenzo.get(address(dispute), {"remedy": "goodwill"}))

    assert 'class="alert alert-red loss" role="alert"' in page
    assert "This remedy debits p-1, who raised the dispute, by €10.00" in page
    assert 'name="accepted_loss" value="1000"' in page
    assert "accepted_loss" not in credit


@pytest.mark.parametrize("accepted", ["", "0", "999", "1e3", "-1000", "\u0661\u0660\u0660\u0660"])
def test_a_form_without_the_checkbox_is_refused(
    lorenzo: Client, dispute: Dispute, accepted: str
) -> None:
    """Also with another amount; nothing is decided."""
    words = decide(lorenzo, dispute, "uphold", **SAID, accepted_loss=accepted)

    assert "This remedy debits the customer who raised the dispute by €10.00." in words
    assert state_of(dispute) is State.IN_REVIEW
    assert not Case.objects.exists()


def test_with_the_checkbox_it_is_upheld(lorenzo: Client, dispute: Dispute) -> None:
    """The dispute's history shows the accepted amount."""
    decide(lorenzo, dispute, "uphold", **SAID, accepted_loss="1000")

    assert state_of(dispute) is State.UPHELD
    assert DisputeStep.objects.get(action="upheld").accepted_loss_cents == 1000
    assert "Accepted: the remedy debits the customer by €10.00." in plain(lorenzo, address(dispute))


def test_a_program_gets_a_problem_with_the_amount(lorenzo: Client, dispute: Dispute) -> None:
    """With the amount accepted, the proposal is stored."""
    proposal = {
        "verdict": "upheld",
        "text": REASONS,
        "citations": [citation._asdict() for citation in CITED],
        "way": "refund",
    }
    program, path = studio(), f"{DISPUTES}/{dispute}/proposals"

    refused = program.post(path, proposal)
    accepted = program.post(path, {**proposal, "accepted_loss_cents": 1000})

    problem = json_of(refused)
    assert refused.status_code == 422
    assert problem["type"].endswith("customer-loses")
    assert [(error["field"], error["needed"]) for error in problem["errors"]] == [
        ("/accepted_loss_cents", "1000"),
    ]
    assert (accepted.status_code, json_of(accepted)["accepted_loss_cents"]) == (201, 1000)
    assert "This proposal may debit the customer by €10.00." in plain(lorenzo, address(dispute))
