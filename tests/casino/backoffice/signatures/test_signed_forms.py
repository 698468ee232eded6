"""Decisions on money whose forms are signed by an authenticator: the text before the row."""

from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import LoginFailure
from compliance.signatures.models import DecisionSignature
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.people import actor_of
from payouts.cases.models import Case
from payouts.cases.verify_cases import verify_cases
from payouts.disputes.status import State
from tests.casino.backoffice.cases.case_forms import browser_of, code_of_lorenzo, fields_of, named
from tests.casino.backoffice.disputes.dispute_forms import address as dispute_address
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import forget_confirmation
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.signatures.test_assertions import answer_of
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.cases.case_scenarios import execute
from tests.payouts.disputes.dispute_scenarios import disputed, play, state_of, take
from tests.payouts.settlement.resettlement_scenarios import balance
from tests.signers import FirstKey

pytestmark = pytest.mark.django_db

CREDIT: Final = "/admin/cases/credit/"
FORM: Final = {
    "reason": "service-failure",
    "text": "An hour without a dealer.",
    "customer": "p-1",
    "amount": "12.50",
}
PREPARES: Final = {"X-Sabot-Signature": "prepare"}


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file: people sign with authenticators."""


@pytest.fixture
def giulia(db: None) -> Client:
    """A supervisor."""
    return browser_of(named("Giulia", "supervisor"))


@pytest.fixture
def lorenzo(db: None) -> Client:
    """A compliance officer."""
    return browser_of(named("Lorenzo", "compliance"))


@pytest.fixture
def keys(giulia: Client, lorenzo: Client) -> dict[str, FirstKey]:
    """Their security keys, in force."""
    people = User.objects.filter(username__in=["giulia", "lorenzo"])
    keys = {person.username: FirstKey(actor_of(person)) for person in people}
    for key in keys.values():
        key.approve()
    return keys


@pytest.fixture
def rounds(db: None) -> None:
    """A settled round."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()


def send(client: Client, address: str, form: dict[str, Any], key: FirstKey, **changed: str) -> str:
    """Sends a form as the browser does: once for the text, once with the assertion."""
    prepared = client.post(address, form, headers=PREPARES).json()
    assertion = answer_of(key.key.answer(prepared["publicKey"]["challenge"]))
    signed = {**form, **prepared["fields"], "assertion": assertion, **changed}
    return page_html(client.post(address, signed, follow=True))


def faults() -> list[str]:
    """What the verifiers name."""
    found: list[str] = []
    verify_signatures(found.append)
    verify_cases(found.append)
    return found


@pytest.mark.usefixtures("rounds")
class TestACredit:
    @pytest.mark.slow
    def test_is_signed_by_two_persons_and_paid(
        self, giulia: Client, lorenzo: Client, keys: dict[str, FirstKey]
    ) -> None:
        """The case has the number that the signed text names."""
        before = balance("customer", "p-1")
        words = send(giulia, CREDIT, FORM, keys["giulia"])
        assert "Proposal recorded." in words
        case = Case.objects.get()

        address = f"/admin/cases/{case.pk}/"
        form = {**fields_of(lorenzo.get(address)), "read": "on", "note": "Agreed."}
        form["code"] = code_of_lorenzo()
        words = send(lorenzo, f"{address}approve/", form, keys["lorenzo"])

        assert "Approved." in words
        assert execute(case) == [("done", None)]
        assert balance("customer", "p-1") == before + 1250
        assert faults() == []

    def test_asks_for_a_signature_before_it_writes(
        self, giulia: Client, keys: dict[str, FirstKey]
    ) -> None:
        """The first request leaves nothing behind."""
        giulia.post(CREDIT, FORM, headers=PREPARES)

        assert not Case.objects.exists()

    def test_with_a_wrong_code_is_refused_once(
        self, giulia: Client, lorenzo: Client, keys: dict[str, FirstKey]
    ) -> None:
        """Before anything is signed; the failure counts as one."""
        send(giulia, CREDIT, FORM, keys["giulia"])
        forget_confirmation(lorenzo)
        address = f"/admin/cases/{Case.objects.get().pk}/"
        form = {
            **fields_of(lorenzo.get(address)),
            "read": "on",
            "note": "Agreed.",
            "code": "000000",
        }

        refused = lorenzo.post(f"{address}approve/", form, headers=PREPARES).json()

        assert "The code is incorrect" in refused["error"]
        assert LoginFailure.objects.count() == 1

    def test_whose_amount_was_changed_after_signing_is_not_proposed(
        self, giulia: Client, keys: dict[str, FirstKey]
    ) -> None:
        """By a program between the person and the site."""
        words = send(giulia, CREDIT, FORM, keys["giulia"], amount="99999.99")

        assert "The signature is not valid for this decision." in words
        assert not Case.objects.exists()

    def test_under_another_number_is_not_proposed(
        self, giulia: Client, keys: dict[str, FirstKey]
    ) -> None:
        """Numbers come from the site, not from the form."""
        words = send(giulia, CREDIT, FORM, keys["giulia"], named="case:G-0999")

        assert "The signature is not valid for this decision." in words
        assert not Case.objects.exists()

    def test_signed_by_a_colleague_is_not_proposed(
        self, giulia: Client, keys: dict[str, FirstKey]
    ) -> None:
        """Lorenzo's key in Giulia's session."""
        words = send(giulia, CREDIT, FORM, keys["lorenzo"])

        assert "This key does not sign for you." in words
        assert not Case.objects.exists()

    def test_with_a_wrong_field_says_so_without_a_signature(
        self, giulia: Client, keys: dict[str, FirstKey]
    ) -> None:
        """Nothing to sign: the form is sent again and shows its error."""
        wrong = {**FORM, "amount": "0"}

        assert giulia.post(CREDIT, wrong, headers=PREPARES).json() == {}
        assert "Enter an amount greater than zero." in page_html(giulia.post(CREDIT, wrong))

    def test_without_a_signature_is_not_proposed(
        self, giulia: Client, keys: dict[str, FirstKey]
    ) -> None:
        """A browser without JavaScript, or a stolen session."""
        words = page_html(giulia.post(CREDIT, FORM, follow=True))

        assert "Decisions are signed with a security key." in words
        assert not Case.objects.exists()


class TestADispute:
    def test_with_two_credits_is_upheld_by_one_signature(
        self, lorenzo: Client, keys: dict[str, FirstKey]
    ) -> None:
        """The decision and both proposals are signed together."""
        same = [
            baccarat_bet("b1", "banker", "10.00"),
            baccarat_bet("b2", "banker", "5.00", player="p-2"),
        ]
        play(baccarat_round("r-1", bets=same))
        dispute = disputed()
        take(dispute)
        form = {
            "seen": "2",
            "note": "An hour without a dealer.",
            "citations": ["0"],
            "code": code_of_lorenzo(),
            "remedy": "goodwill",
            "reason": "service-failure",
            "amount": "7,50",
            "customer": "p-2",
        }

        send(lorenzo, dispute_address(dispute, "uphold/"), form, keys["lorenzo"])

        assert state_of(dispute) is State.UPHELD
        assert Case.objects.filter(kind="goodwill").count() == 2
        signatures = DecisionSignature.objects.all()
        assert {len(signature.signed_with) for signature in signatures} == {3}
        assert len({bytes(signature.signature) for signature in signatures}) == 1
        assert faults() == []
