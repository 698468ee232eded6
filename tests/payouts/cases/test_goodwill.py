"""Goodwill: a credit outside of any round, by two persons, once."""

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.models import AuditRecord
from payouts.cases.models import Case, GoodwillCredit
from payouts.cases.propose_case import InvalidCaseRemedy
from payouts.ledger.models import Transfer
from payouts.reconciliation.reconcile import figures_of
from rounds.models import Customer
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed, execute
from tests.payouts.reconciliation.five_games import differences, reconciled, tamper
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, balance


def proposed(cents: int = 1500) -> Case:
    """Giulia proposes a credit for p-1, who has 25.00."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    return credit_proposed("p-1", cents)


class TestAGoodwillCredit:
    def test_reaches_the_customer_and_is_no_gaming_revenue(self, fresh_casino: str) -> None:
        """25.00 and 15.00; the house account is not touched."""
        case = proposed()
        house = balance("house")

        approve(case)

        assert execute(case) == [("done", None)]
        assert balance("customer", "p-1") == 4000
        assert (balance("house"), balance("goodwill")) == (house, -1500)
        assert figures_of(reconciled())["differences"] == 0

    @pytest.mark.django_db
    def test_names_both_persons(self) -> None:
        """In the row and in the trail."""
        case = proposed()
        approve(case)
        execute(case)

        credit = GoodwillCredit.objects.get()
        record = AuditRecord.objects.get(action="GOODWILL_CREDITED")
        assert (credit.actor, credit.approved_by) == (GIULIA.name, LORENZO.name)
        assert (record.details["amount"], record.details["approved_by"]) == ("15.00", LORENZO.name)

    @pytest.mark.django_db
    def test_is_given_once(self) -> None:
        """Execution is idempotent."""
        case = proposed()
        approve(case)
        execute(case)
        execute(case)

        assert GoodwillCredit.objects.count() == 1
        assert Transfer.objects.filter(purpose="goodwill").count() == 1

    @pytest.mark.django_db
    def test_needs_a_positive_amount(self) -> None:
        """In a goodwill case only."""
        with pytest.raises(InvalidCaseRemedy):
            proposed(0)

    @pytest.mark.django_db
    def test_by_one_person_is_refused_by_the_database(self) -> None:
        """A check constraint refuses the row."""
        case = proposed()
        customer = Customer.objects.get(pseudonym="p-1")

        with pytest.raises(IntegrityError, match="goodwill_credit_by_two"), transaction.atomic():
            GoodwillCredit.objects.create(
                id="0194f5a0-0000-7000-8000-000000000000",
                case=case,
                customer=customer,
                cents=1,
                at=NOW,
                actor="Giulia",
                approved_by="Giulia",
                booked_on=NOW.date(),
            )

    def test_of_another_amount_than_was_moved_is_reported_by_reconciliation(
        self, fresh_casino: str
    ) -> None:
        """The row says 99.00; both persons signed 15.00, as the ledger says."""
        case = proposed()
        approve(case)
        execute(case)

        tamper("UPDATE payouts_goodwillcredit SET cents = 9900")

        assert [difference.kind for difference in differences()] == ["decision", "goodwill"]
