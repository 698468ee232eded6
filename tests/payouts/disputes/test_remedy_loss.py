"""A remedy that takes money from the complaining customer needs an acknowledgement."""

import pytest

from compliance.trail.models import AuditRecord
from payouts.cases.models import Case
from payouts.cases.propose_case import EffectChanged
from payouts.cases.remedies import Remedy
from payouts.disputes.execute_remedy import LossNotAccepted
from payouts.disputes.models import Dispute, DisputeRemedy, DisputeStep, VerdictProposal
from payouts.disputes.propose_verdict import ProposedVerdict, propose_verdict
from payouts.disputes.queries import disputed_bets
from payouts.disputes.remedies import (
    RequestedRemedy,
    Way,
    complainant_loss,
    effect_of_remedy,
    other_customers_losses,
)
from tests.casino_in_play import NOW
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.cases.case_scenarios import propose as propose_case
from tests.payouts.disputes.dispute_scenarios import (
    CITED,
    PROGRAM,
    REASONS,
    credit,
    disputed,
    looked_at,
    play,
    refund,
    resettled,
    seen,
    take,
    uphold,
)
from tests.payouts.settlement.resettlement_scenarios import void

pytestmark = pytest.mark.django_db


@pytest.fixture
def dispute() -> Dispute:
    """p-1 won 20.00 with 10.00 and disputes it; p-2 lost 10.00, p-3 won like p-1."""
    bets = [
        baccarat_bet("b1", "player", "10.00", player="p-1"),
        baccarat_bet("b2", "banker", "10.00", player="p-2"),
        baccarat_bet("b3", "player", "10.00", player="p-3"),
    ]
    play(baccarat_round("r-1", bets=bets))
    dispute = disputed()
    take(dispute)
    return dispute


VOIDED = Remedy.VOID


def of_way(way: str) -> RequestedRemedy:
    """A remedy that takes 10.00 from p-1."""
    return refund() if way == "refund" else resettled(VOIDED)


@pytest.mark.parametrize("way", ["refund", "resettle"])
class TestARemedyThatTakes:
    def test_is_known_beforehand(self, dispute: Dispute, way: str) -> None:
        """Winnings of 20.00 less the returned stake of 10.00."""
        assert complainant_loss(dispute, of_way(way)) == 1000

    @pytest.mark.parametrize("accepted", [0, 1, 999, 1001, 2000, -1000])
    def test_is_not_upheld_without_the_exact_amount(
        self, dispute: Dispute, way: str, accepted: int
    ) -> None:
        """Nothing is written."""
        before = seen(dispute)

        with pytest.raises(LossNotAccepted) as refused:
            uphold(dispute, of_way(way)._replace(accepted_loss_cents=accepted))

        assert refused.value.loss_cents == 1000
        assert seen(dispute) == before
        assert not Case.objects.exists()
        assert not AuditRecord.objects.filter(action="DISPUTE_UPHELD").exists()

    def test_is_upheld_with_the_acknowledgement(self, dispute: Dispute, way: str) -> None:
        """Step and audit record have the amount."""
        step = uphold(dispute, of_way(way)._replace(accepted_loss_cents=1000))

        assert DisputeStep.objects.get(pk=step.pk).accepted_loss_cents == 1000
        record = AuditRecord.objects.get(action="DISPUTE_UPHELD")
        assert record.details["accepted_loss"] == "10.00"

    def test_is_refused_where_the_effect_changed_in_between(
        self, dispute: Dispute, way: str
    ) -> None:
        """The round was voided meanwhile."""
        requested = looked_at(dispute, of_way(way))._replace(accepted_loss_cents=1000)
        void("r-1", after=1)

        with pytest.raises((EffectChanged, LossNotAccepted, Exception)) as refused:
            uphold(dispute, requested, remedy=requested)

        assert type(refused.value).__name__ in {"EffectChanged", "RoundsNotDecidable"}
        assert not DisputeRemedy.objects.exists()


def test_other_losing_customers_are_counted(dispute: Dispute) -> None:
    """p-3 loses 10.00 by a void, p-2 gains."""
    effect = effect_of_remedy(dispute, resettled(VOIDED))

    assert other_customers_losses(dispute, effect) == [1000]
    assert other_customers_losses(dispute, effect_of_remedy(dispute, refund())) == []


def test_a_credit_needs_no_acknowledgement(dispute: Dispute) -> None:
    """It takes nothing."""
    assert complainant_loss(dispute, credit()) == 0

    step = uphold(dispute, credit())

    assert DisputeStep.objects.get(pk=step.pk).accepted_loss_cents is None
    assert "accepted_loss" not in AuditRecord.objects.get(action="DISPUTE_UPHELD").details


def test_an_existing_case_needs_it_as_well(dispute: Dispute) -> None:
    """Naming a case does not avoid the warning."""
    case = opened("malfunction", "r-1")
    propose_case(case, VOIDED)
    named = RequestedRemedy(Way.CASE, case_id=case.pk)

    with pytest.raises(LossNotAccepted):
        uphold(dispute, named)

    assert uphold(dispute, named._replace(accepted_loss_cents=1000)).accepted_loss_cents == 1000


class TestAProgram:
    """The person who decides sees the same warning for the chosen remedy."""

    @pytest.mark.parametrize("way", [Way.REFUND, Way.RESETTLE])
    def test_needs_the_acknowledgement(self, dispute: Dispute, way: Way) -> None:
        """Without it nothing is stored."""
        for accepted in (0, 999):
            with pytest.raises(LossNotAccepted):
                self.propose(dispute, way, accepted)
        assert not VerdictProposal.objects.exists()

        proposal = self.propose(dispute, way, 1000)

        assert proposal.accepted_loss_cents == 1000
        record = AuditRecord.objects.get(action="DISPUTE_VERDICT_PROPOSED")
        assert record.details["accepted_loss"] == "10.00"

    def test_proposes_a_credit_without_it(self, dispute: Dispute) -> None:
        """Nobody loses."""
        assert self.propose(dispute, Way.GOODWILL, 0).accepted_loss_cents is None

    @staticmethod
    def propose(dispute: Dispute, way: Way, accepted: int) -> VerdictProposal:
        """Proposes to uphold."""
        proposal = ProposedVerdict(
            VerdictProposal.Verdict.UPHELD, REASONS, CITED, way, accepted_loss_cents=accepted
        )
        return propose_verdict(
            dispute_id=dispute.pk, seen=seen(dispute), proposed=proposal, at=NOW, actor=PROGRAM
        )


def test_contested_are_all_bets_of_the_customer_or_the_one_that_is_named(
    dispute: Dispute,
) -> None:
    """By their numbers."""
    assert [bet.number for bet in disputed_bets(dispute)] == [0]
