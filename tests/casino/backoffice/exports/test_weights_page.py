"""The page of weights: set by one person, approved by another."""

import json

import pytest
from django.test import Client

from compliance.certification.models import WeightSet, WeightSetApproval
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import forget_confirmation, give_phone
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT

PAGE = "/admin/weights/"
FORM = {
    "content": json.dumps(MULTIPLIER_DOCUMENT),
    "in_force_from": "2026-11-20",
    "reason": "the new game server",
}


def browser(role: str) -> Client:
    """A browser of a person in this role who has given a second factor."""
    user = person(role)
    give_phone(user)
    return reader(user)


@pytest.mark.django_db
class TestThePage:
    def test_sets_and_approves(self) -> None:
        """The person who sets weights cannot approve them."""
        compliance, supervisor = browser("compliance"), browser("supervisor")
        assert "No multiplier weights yet" in plain(compliance, PAGE)
        compliance.post(PAGE, FORM)
        weights = WeightSet.objects.get()
        words = plain(compliance, PAGE)
        assert f"{weights} " in words
        assert "Awaiting approval" in words
        assert "no weights in force" in words
        compliance.post(f"{PAGE}{weights.pk}/approve/")
        assert "Another person must approve them" in plain(compliance, PAGE)
        assert not WeightSetApproval.objects.exists()

        supervisor.post(f"{PAGE}{weights.pk}/approve/")

        assert WeightSetApproval.objects.get().weights == weights
        assert "In force quantum-blackjack/1 20 Nov 2026" in plain(supervisor, PAGE)

    def test_needs_a_second_factor_of_the_approver(self) -> None:
        """A recent one, or a code."""
        browser("compliance").post(PAGE, FORM)
        supervisor = browser("supervisor")
        forget_confirmation(supervisor)
        address = f"{PAGE}{WeightSet.objects.get().pk}/approve/"

        for code in ("", "000000"):
            supervisor.post(address, {"code": code})

        assert "The code is incorrect" in plain(supervisor, PAGE)
        assert not WeightSetApproval.objects.exists()

    def test_says_which_field_of_the_document_is_wrong(self) -> None:
        """With the value found and needed; nothing is set."""
        wrong = {**MULTIPLIER_DOCUMENT, "format": "sabot-weights/9"}

        answer = browser("compliance").post(PAGE, {**FORM, "content": json.dumps(wrong)})

        words = page_html(answer)
        assert "format: found" in words
        assert "needed sabot-weights/1" in words
        assert not WeightSet.objects.exists()

    def test_is_read_only_for_payments(self) -> None:
        """Only those who sign bundles set weights."""
        payments = browser("payments")
        payments.post(PAGE, FORM)

        assert not WeightSet.objects.exists()
        assert "Enter weights" not in plain(payments, PAGE)

    def test_does_not_find_unknown_weights(self) -> None:
        """404."""
        assert browser("supervisor").post(f"{PAGE}77/approve/").status_code == 404
