"""Refunds, credits and existing cases as remedies of a dispute, through the services."""

import pytest

from payouts.cases.decide_case import withdraw_case
from payouts.cases.models import Case, CaseRound
from payouts.cases.remedies import Remedy
from payouts.disputes.execute_remedy import InvalidDisputeRemedy
from payouts.disputes.models import Dispute, DisputeRemedy
from payouts.disputes.remedies import RequestedRemedy, Way
from payouts.disputes.status import State
from tests.casino_in_play import NOW
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.payouts.disputes.dispute_scenarios import (
    credit,
    executed,
    in_review,
    play,
    refund,
    uphold,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, balance

pytestmark = pytest.mark.django_db


class TestARefund:
    def test_gives_the_stake_back_and_closes_the_dispute(self) -> None:
        """p-2 lost 10.00 on Banker and has it back."""
        play()
        review = in_review(pseudonym="p-2", reason=Dispute.Reason.BET_NOT_RECOGNISED)

        uphold(review.dispute, refund(bets=(1,)), is_whole=False)
        assert review.state() is State.PARTLY_UPHELD
        executed(review.dispute)

        assert review.state() is State.CLOSED
        assert balance("customer", "p-2") == 1000

    def test_includes_others_in_the_same_situation(self) -> None:
        """By one case."""
        banker = [
            baccarat_bet("b1", "banker", "10.00"),
            baccarat_bet("b2", "banker", "5.00", player="p-2"),
        ]
        play(baccarat_round("r-1", bets=banker))
        review = in_review(bet_number=0)

        uphold(review.dispute, refund(bets=(0, 1)))
        executed(review.dispute)

        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (1000, 500)
        assert DisputeRemedy.objects.filter(dispute=review.dispute).count() == 1

    @pytest.mark.parametrize("bets", [(), (1,), (0, 99)])
    def test_is_of_bets_of_the_round_with_the_one_contested(self, bets: tuple[int, ...]) -> None:
        """It must include the disputed bet."""
        play()
        review = in_review(bet_number=0)

        with pytest.raises(InvalidDisputeRemedy, match="bets: found"):
            uphold(review.dispute, refund(bets=bets), remedy=refund(bets=bets))

        assert not Case.objects.exists()


class TestACredit:
    def test_is_one_case_a_customer_and_the_dispute_waits_for_its_own(self) -> None:
        """p-2 in the same situation is credited by another case."""
        play()
        review = in_review()

        uphold(review.dispute, credit(700, "p-2"))
        remedies = DisputeRemedy.objects.filter(dispute=review.dispute).order_by("case_id")
        assert [(row.customer.pseudonym, row.is_own) for row in remedies] == [
            ("p-1", True),
            ("p-2", False),
        ]
        executed(review.dispute)

        assert review.state() is State.CLOSED
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2500 + 700, 0)
        other = remedies[1].case
        approve(other)
        execute(other, at=NOW)
        assert balance("customer", "p-2") == 700
        assert set(CaseRound.objects.values_list("case_id", flat=True)) == {
            row.case_id for row in remedies
        }

    def test_is_for_others_of_the_round_alone(self) -> None:
        """And not twice for the customer."""
        play(
            baccarat_round("r-1"),
            baccarat_round("r-2", bets=[baccarat_bet("b1", "player", "1.00", player="p-9")]),
        )
        review = in_review()

        for stranger in ("p-9", "p-1"):
            with pytest.raises(InvalidDisputeRemedy, match="others: found 1"):
                uphold(review.dispute, credit(700, stranger))

        assert not Case.objects.exists()


class TestACaseThatIsThere:
    def test_is_named_and_closes_the_dispute_once_it_is_executed(self) -> None:
        """The case voids the whole round."""
        play()
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        review = in_review(pseudonym="p-2")

        uphold(review.dispute, RequestedRemedy(Way.CASE, case_id=case.pk))
        assert review.state() is State.UPHELD
        executed(review.dispute)

        assert review.state() is State.CLOSED
        assert Case.objects.count() == 1

    @pytest.mark.parametrize("which", [None, "other", "withdrawn"])
    def test_must_be_an_open_case_of_the_round(self, which: str | None) -> None:
        """Other cases are refused."""
        play(baccarat_round("r-1"), baccarat_round("r-2"))
        other, over = opened("malfunction", "r-2"), opened("malfunction", "r-1")
        withdraw_case(case_id=over.pk, seen=1, note="x", at=NOW, actor=GIULIA)
        review = in_review()
        named = {"other": other.pk, "withdrawn": over.pk}.get(which or "")

        with pytest.raises(InvalidDisputeRemedy, match="case: found"):
            uphold(review.dispute, RequestedRemedy(Way.CASE, case_id=named))
