"""Deciding disputes: remedies, and people who may not decide."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from compliance.trail.actor import Actor
from payouts.cases.models import Case
from payouts.disputes.close_dispute import advance_remedied_disputes
from payouts.disputes.status import State
from tests.casino.backoffice.cases.case_forms import browser_of, fields_of, named, sign
from tests.casino.backoffice.disputes.dispute_forms import address, decide, do
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import code_of, forget_confirmation, give_phone
from tests.casino_in_play import by_now
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.cases.case_scenarios import execute
from tests.payouts.disputes.dispute_scenarios import (
    disputed,
    play,
    state_of,
    take,
    voided_wrongly,
)
from tests.payouts.settlement.resettlement_scenarios import balance

pytestmark = pytest.mark.django_db


class TestDeciding:
    @pytest.mark.slow
    def test_upholds_with_a_remedy_that_runs_to_the_end(
        self, anna: Client, lorenzo: Client
    ) -> None:
        """Lorenzo upholds, Giulia signs, the worker pays, the dispute is closed."""
        giulia = named("Giulia", "supervisor")
        give_phone(giulia)
        play()
        voided_wrongly()
        dispute = disputed(at=timezone.now(), actor=Actor("Anna", 900))
        do(lorenzo, dispute, "take")
        choices = plain(lorenzo, address(dispute))
        assert "Pay by the actual result" in choices
        effect = plain(lorenzo, f"{address(dispute)}?remedy=resettle-real_result")
        assert "Effect on customers" in effect

        form = {"remedy": "resettle-real_result", "reason": "dealing-error"}
        words = decide(lorenzo, dispute, "uphold", **form)
        assert "Upheld. A second person must approve the payment." in words
        case = Case.objects.latest("pk")
        desk = browser_of(giulia)
        sign(desk, case, code=code_of(giulia))
        execute(case, at=by_now())
        advance_remedied_disputes(at=by_now())

        assert state_of(dispute) is State.CLOSED
        assert balance("customer", "p-1") == 2500
        assert "The cards show it." in plain(anna, address(dispute))

    def test_credits_selected_other_customers(self, lorenzo: Client) -> None:
        """Each by a case of their own."""
        same = [
            baccarat_bet("b1", "banker", "10.00"),
            baccarat_bet("b2", "banker", "5.00", player="p-2"),
        ]
        play(baccarat_round("r-1", bets=same))
        dispute = disputed()
        take(dispute)
        assert "Other customers in the same situation" in plain(lorenzo, address(dispute))

        form = {"remedy": "goodwill", "reason": "service-failure", "amount": "7,50"}
        decide(lorenzo, dispute, "uphold", partly="on", customer="p-2", **form)

        assert state_of(dispute) is State.PARTLY_UPHELD
        assert Case.objects.filter(kind="goodwill").count() == 2

    def test_refunds_others_in_the_same_situation(self, lorenzo: Client) -> None:
        """One refund includes their bets."""
        same = [
            baccarat_bet("b1", "banker", "10.00"),
            baccarat_bet("b2", "banker", "5.00", player="p-2"),
        ]
        play(baccarat_round("r-1", bets=same))
        dispute = disputed()
        take(dispute)
        page = lorenzo.get(address(dispute), {"remedy": "refund", "others": "on"})
        assert "including other customers in the same situation" in page_html(page)

        digest = fields_of(page)["digest"]
        form = {"remedy": "refund", "others": "on", "reason": "bet-not-intended"}
        decide(lorenzo, dispute, "uphold", **{**form, "digest": digest})

        assert state_of(dispute) is State.UPHELD
        step = Case.objects.get().steps.get(action="proposed")
        assert step.ruling == {"refunded": [0, 1]}

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"note": ""}, "Enter the text for the customer."),
            ({"citations": []}, "Select at least one section"),
            ({"code": ""}, "Enter the six-digit code from your phone."),
            ({"code": "000000"}, "The code is incorrect"),
            ({"remedy": "nothing"}, "Select a remedy and review its effect first."),
            ({"remedy": "goodwill", "amount": "x"}, "The remedy is incomplete"),
        ],
    )
    def test_says_what_is_missing(
        self, lorenzo: Client, fields: dict[str, Any], words: str
    ) -> None:
        """Nothing is decided."""
        play()
        dispute = disputed()
        take(dispute)
        forget_confirmation(lorenzo)

        assert words in decide(lorenzo, dispute, "uphold", **{"remedy": "goodwill", **fields})

        assert state_of(dispute) is State.IN_REVIEW

    @pytest.mark.parametrize(
        ("code", "words"), [("", "Enter the six-digit code"), ("000000", "The code is incorrect")]
    )
    def test_rejects_with_a_second_factor(self, lorenzo: Client, code: str, words: str) -> None:
        """The customer is not answered by an unattended session."""
        play()
        dispute = disputed()
        take(dispute)
        forget_confirmation(lorenzo)

        assert words in decide(lorenzo, dispute, "reject", code=code)

        assert state_of(dispute) is State.IN_REVIEW
        assert not Case.objects.exists()

    def test_needs_another_person(self, lorenzo: Client) -> None:
        """A person who took part in the dispute is refused."""
        play()
        dispute = disputed(actor=Actor("Lorenzo", 901))
        take(dispute)
        assert "Another person must decide" in plain(lorenzo, address(dispute))

        assert "Another person must decide" in decide(lorenzo, dispute, "reject")

        assert state_of(dispute) is State.IN_REVIEW
