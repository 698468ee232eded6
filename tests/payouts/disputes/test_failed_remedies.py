"""A remedy that is rejected or withdrawn returns its dispute to review."""

from typing import Any

import pytest

from compliance.trail.models import AuditRecord
from payouts.cases.decide_case import reject_case, withdraw_case
from payouts.cases.propose_case import propose_credit
from payouts.cases.run_cases import work_on_case
from payouts.disputes.close_dispute import advance_remedied_dispute, advance_remedied_disputes
from payouts.disputes.execute_remedy import RemedyInProgress
from payouts.disputes.models import DisputeStep
from payouts.disputes.remedies import RequestedRemedy, Way
from payouts.disputes.status import State
from tests.casino_in_play import NOW
from tests.payouts.cases.case_scenarios import approve, execute
from tests.payouts.disputes.dispute_scenarios import (
    credit,
    customer,
    executed,
    in_review,
    own_case,
    play,
    reject,
    uphold,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, balance

pytestmark = pytest.mark.django_db


class TestAFailedRemedy:
    @pytest.mark.parametrize("end", [reject_case, withdraw_case])
    def test_returns_the_dispute_to_review(self, end: Any) -> None:
        """Once, when its case is rejected or withdrawn."""
        play()
        review = in_review()
        uphold(review.dispute, credit())
        case = own_case(review.dispute)
        end(case_id=case.pk, seen=2, note="Too much.", at=NOW, actor=LORENZO)

        assert advance_remedied_disputes(at=NOW) == 1
        assert advance_remedied_disputes(at=NOW) == 0

        assert review.state() is State.IN_REVIEW
        record = AuditRecord.objects.get(action="DISPUTE_REMEDY_FAILED")
        assert record.details["case"] == str(case)

    def test_prevents_a_second_remedy(self) -> None:
        """A rejected case has to be withdrawn or named first."""
        play()
        review = in_review()
        uphold(review.dispute, credit())
        case = own_case(review.dispute)
        reject_case(case_id=case.pk, seen=2, note="Too much.", at=NOW, actor=LORENZO)
        advance_remedied_disputes(at=NOW)

        with pytest.raises(RemedyInProgress) as refused:
            uphold(review.dispute, credit(500))
        assert refused.value.case == case
        withdraw_case(case_id=case.pk, seen=3, note="Less.", at=NOW, actor=GIULIA)
        uphold(review.dispute, credit(500))
        executed(review.dispute)

        assert balance("customer", "p-1") == 2500 + 500

    def test_is_named_if_it_was_executed_after_all(self) -> None:
        """The dispute does not pay a second time."""
        play()
        review = in_review()
        uphold(review.dispute, credit())
        case = own_case(review.dispute)
        reject_case(case_id=case.pk, seen=2, note="Why so?", at=NOW, actor=LORENZO)
        advance_remedied_disputes(at=NOW)
        again: dict[str, Any] = {
            "customer_id": customer().pk,
            "cents": 1000,
            "note": "So.",
            "at": NOW,
        }
        propose_credit(case_id=case.pk, seen=3, actor=GIULIA, **again)
        approve(case, seen=4)
        execute(case, at=NOW)

        with pytest.raises(RemedyInProgress):
            uphold(review.dispute, credit())
        uphold(review.dispute, RequestedRemedy(Way.CASE, case_id=case.pk))

        assert advance_remedied_disputes(at=NOW) == 1
        assert balance("customer", "p-1") == 2500 + 1000


class TestFollowing:
    def test_is_idempotent(self) -> None:
        """Nothing is closed before the execution, and nothing twice."""
        play()
        review = in_review()
        uphold(review.dispute, credit())
        approve(own_case(review.dispute))
        assert advance_remedied_disputes(at=NOW) == 0
        while work_on_case(own_case(review.dispute).pk, now=lambda: NOW):
            pass

        assert [advance_remedied_disputes(at=NOW) for _ in range(3)] == [1, 0, 0]

        assert DisputeStep.objects.filter(dispute=review.dispute, action="closed").count() == 1

    def test_leaves_rejected_disputes(self) -> None:
        """They have no remedy."""
        play()
        review = in_review()
        reject(review.dispute)

        assert advance_remedied_dispute(dispute_id=review.dispute.pk, at=NOW) is None
