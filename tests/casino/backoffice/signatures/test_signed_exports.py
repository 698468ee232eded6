"""Bundles and weights whose forms are signed by an authenticator: the text before the row."""

import json
from typing import Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from compliance.certification.models import WeightSet, WeightSetApproval
from compliance.certification.queries import weights_in_force
from compliance.exports.models import BundleStep
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from tests.casino.api.exports.export_programs import made
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import code_of
from tests.casino.backoffice.signatures.signing_desks import Desk
from tests.casino.backoffice.signatures.test_signed_forms import PREPARES
from tests.compliance.certification.weights.weight_documents import MULTIPLIER_DOCUMENT

pytestmark = pytest.mark.django_db

BUNDLE: Final = "/admin/exports/bundles/1/"
LETTER: Final = {"reference": "PEC 12/2026", "on_day": "2026-11-22", "note": ""}

WEIGHTS: Final = "/admin/weights/"
FORM: Final = {
    "content": json.dumps(MULTIPLIER_DOCUMENT),
    "in_force_from": "2026-11-20",
    "reason": "the new game server",
}


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file: people sign with authenticators."""


@pytest.fixture
def giulia(db: None) -> Desk:
    """A supervisor."""
    return Desk("Giulia", "supervisor")


@pytest.fixture
def lorenzo(db: None) -> Desk:
    """A compliance officer."""
    return Desk("Lorenzo", "compliance")


def faults() -> list[str]:
    """What the verifiers name."""
    found: list[str] = []
    verify_signatures(found.append)
    verify_rows(found.append)
    return found


class TestABundle:
    @pytest.mark.slow
    def test_is_signed_sent_and_answered_with_keys(self, giulia: Desk, lorenzo: Desk) -> None:
        """Each step is signed, the regulator's file included."""
        made(1)
        giulia.send(f"{BUNDLE}sign/", {"seen": "0", "read": "on"})
        lorenzo.send(f"{BUNDLE}sign/", {"seen": "1", "read": "on", "note": "Seen."})
        lorenzo.send(f"{BUNDLE}send/", {"seen": "2", **LETTER})
        form = {"seen": "3", **LETTER, "answer": "received"}
        address, headers = f"{BUNDLE}answer/", PREPARES
        prepared = lorenzo.browser.post(address, {**form, "papers": _receipt()}, headers=headers)
        assert "publicKey" in prepared.json()
        lorenzo.send(address, form)

        actions = BundleStep.objects.order_by("sequence").values_list("action", flat=True)
        assert list(actions) == ["signed", "signed", "sent", "received"]
        assert faults() == []

    def test_is_not_signed_without_a_key(self, giulia: Desk) -> None:
        """By a browser without JavaScript, or in a stolen session; nor set aside."""
        made(1)
        form = {"seen": "0", "read": "on", "note": "x", "code": code_of(giulia.person)}
        for action in ("sign", "aside"):
            words = page_html(giulia.browser.post(f"{BUNDLE}{action}/", form, follow=True))
            assert "Decisions are signed with a security key." in words

        assert not BundleStep.objects.exists()

    def test_is_not_signed_with_a_signature_of_another_note(self, giulia: Desk) -> None:
        """Changed by a program between the person and the site."""
        made(1)
        form = {"seen": "0", "read": "on", "note": "Not seen."}

        words = giulia.send(f"{BUNDLE}sign/", form, note="Seen.")

        assert "The signature is not valid for this decision." in words
        assert not BundleStep.objects.exists()


class TestWeights:
    def test_are_set_and_approved_with_keys(self, giulia: Desk, lorenzo: Desk) -> None:
        """The text is the same before and after the row has its number."""
        giulia.send(WEIGHTS, FORM)
        weights = WeightSet.objects.get()
        words = lorenzo.send(f"{WEIGHTS}{weights.pk}/approve/", {})

        assert "Multiplier weights approved." in words
        assert weights_in_force(weights.rules, on=weights.in_force_from) == weights
        assert faults() == []

    def test_are_not_set_or_approved_without_a_key(self, giulia: Desk, lorenzo: Desk) -> None:
        """By a browser without JavaScript, or in a stolen session."""
        giulia.browser.post(WEIGHTS, FORM)
        assert not WeightSet.objects.exists()
        giulia.send(WEIGHTS, FORM)

        form = {"code": code_of(lorenzo.person)}
        address = f"{WEIGHTS}{WeightSet.objects.get().pk}/approve/"
        words = page_html(lorenzo.browser.post(address, form, follow=True))

        assert "Decisions are signed with a security key." in words
        assert not WeightSetApproval.objects.exists()

    def test_are_not_set_from_another_day_than_was_signed(self, giulia: Desk) -> None:
        """Changed by a program between the person and the site."""
        giulia.send(WEIGHTS, FORM, in_force_from="2026-12-01")

        assert not WeightSet.objects.exists()

    def test_say_what_is_wrong_without_a_signature(self, giulia: Desk) -> None:
        """Nothing to sign: the form is sent again and shows its error."""
        wrong = {**FORM, "content": "{}"}

        assert giulia.browser.post(WEIGHTS, wrong, headers=PREPARES).json() == {}


def _receipt() -> SimpleUploadedFile:
    return SimpleUploadedFile("receipt.pdf", b"%PDF-1.7 protocol 9")
