"""From a dispute to the money and back: remedies end to end, by the services that move money."""

from dataclasses import dataclass
from typing import Any

import pytest

from compliance.trail.models import AuditRecord
from payouts.cases.decide_case import reject_case, withdraw_case
from payouts.cases.models import Case, CaseRound, Reason
from payouts.cases.propose_case import EffectChanged, RoundsNotDecidable, propose_credit
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.disputes.close_dispute import advance_remedied_dispute, advance_remedied_disputes
from payouts.disputes.execute_remedy import InvalidDisputeRemedy, RemedyInProgress
from payouts.disputes.models import Dispute, DisputeRemedy, DisputeStep
from payouts.disputes.remedies import RequestedRemedy, Way
from payouts.disputes.status import State, dispute_statuses
from payouts.settlement.models import Settlement
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD, approve, execute, opened, propose
from tests.payouts.disputes.dispute_scenarios import (
    credit,
    customer,
    disputed,
    executed,
    own_case,
    play,
    refund,
    reject,
    resettled,
    take,
    uphold,
    voided_wrongly,
)
from tests.payouts.settlement.resettlement_scenarios import (
    GIULIA,
    LORENZO,
    balance,
    resettle,
    sequences,
)

pytestmark = pytest.mark.django_db


@dataclass
class InReview:
    """A dispute that Paolo has taken."""

    dispute: Dispute

    def state(self) -> State:
        """Where it stands now."""
        return dispute_statuses([self.dispute])[self.dispute.pk].state


def in_review(**other: Any) -> InReview:
    """A dispute about the round of the tests, taken into review."""
    dispute = disputed(**other)
    take(dispute)
    return InReview(dispute)


class TestSettlingAgain:
    def test_runs_from_the_dispute_to_its_end(self) -> None:
        """A void that should not have been: p-1 has 12.00 back, and 25.00 by the rules."""
        open_table()
        feed = lines(baccarat_round("r-1"))
        ingest(feed)
        settle()
        voided_wrongly()
        assert balance("customer", "p-1") == 1200
        one = in_review(bet_number=0)

        uphold(one.dispute, resettled())
        assert one.state() is State.UPHELD
        assert balance("customer", "p-1") == 1200  # nobody has signed
        assert advance_remedied_dispute(dispute_id=one.dispute.pk, at=NOW) is None
        closed = executed(one.dispute)

        assert closed is not None
        assert (closed.action, closed.note) == ("closed", str(own_case(one.dispute)))
        assert sequences() == [(1, "settled"), (2, "void"), (3, "settled")]
        assert balance("customer", "p-1") == 2500
        assert_books_are_right(feed)

    def test_is_a_case_that_names_the_dispute(self) -> None:
        """Proposed by whoever upheld; the settlement's reason says so."""
        play()
        voided_wrongly()
        one = in_review()

        step = uphold(one.dispute, resettled())
        executed(one.dispute)

        case = own_case(one.dispute)
        assert case.kind == Case.Kind.MALFUNCTION
        assert [(row.action, row.actor) for row in case.steps.order_by("sequence")] == [
            ("opened", step.actor),
            ("proposed", step.actor),
            ("approved", LORENZO.name),
        ]
        assert str(one.dispute) in Settlement.objects.get(sequence=3).reason

    def test_of_a_held_round_is_a_release(self) -> None:
        """Void, because no rule settles a card too many."""
        play(held_baccarat_round("r-1"))
        one = in_review()
        checked = Reason.objects.get(code="checked-on-video")

        uphold(one.dispute, RequestedRemedy(Way.RESETTLE, checked, Remedy.VOID))

        assert executed(one.dispute) is not None
        assert own_case(one.dispute).kind == Case.Kind.RELEASE
        assert sequences() == [(1, "void")]

    def test_by_corrected_cards_is_a_correction(self) -> None:
        """Without the card too many p-1 has 25.00."""
        play(held_baccarat_round("r-1"))
        one = in_review(reason=Dispute.Reason.WRONG_CARDS)
        misread = Reason.objects.get(code="misread-card")

        uphold(one.dispute, RequestedRemedy(Way.RESETTLE, misread, Remedy.CORRECT, NO_EXTRA_CARD))
        executed(one.dispute)

        assert own_case(one.dispute).kind == Case.Kind.CORRECTION
        assert one.state() is State.CLOSED
        assert balance("customer", "p-1") == 2500

    def test_that_changes_nothing_is_refused_and_nothing_is_written(self) -> None:
        """The round is paid like this already."""
        play()
        one = in_review()

        with pytest.raises(RoundsNotDecidable):
            uphold(one.dispute, resettled())

        assert one.state() is State.IN_REVIEW
        assert not Case.objects.exists()

    def test_on_another_effect_than_was_seen_is_refused(self) -> None:
        """As every proposal."""
        play()
        voided_wrongly()
        one = in_review()
        blind = resettled()._replace(effect_digest=b"x" * 32)

        with pytest.raises(EffectChanged):
            uphold(one.dispute, resettled(), remedy=blind)

        assert one.state() is State.IN_REVIEW

    def test_that_somebody_was_faster_with_puts_the_dispute_back(self) -> None:
        """The workers refuse: the round has another settlement since the approval."""
        play()
        voided_wrongly()
        one = in_review()
        uphold(one.dispute, resettled())
        case = own_case(one.dispute)
        approve(case)
        resettle(after=2)
        execute(case, at=NOW)

        step = advance_remedied_dispute(dispute_id=one.dispute.pk, at=NOW)

        assert step is not None
        assert step.action == "remedy_failed"
        assert one.state() is State.IN_REVIEW


class TestARefund:
    def test_gives_the_stake_back_and_closes_the_dispute(self) -> None:
        """p-2 lost 10.00 on Banker and has it back."""
        play()
        one = in_review(pseudonym="p-2", reason=Dispute.Reason.BET_NOT_RECOGNISED)

        uphold(one.dispute, refund(bets=(1,)), is_whole=False)
        assert one.state() is State.PARTLY_UPHELD
        executed(one.dispute)

        assert one.state() is State.CLOSED
        assert balance("customer", "p-2") == 1000

    def test_takes_others_in_the_same_situation_along(self) -> None:
        """One case for all of them."""
        banker = [
            baccarat_bet("b1", "banker", "10.00"),
            baccarat_bet("b2", "banker", "5.00", player="p-2"),
        ]
        play(baccarat_round("r-1", bets=banker))
        one = in_review(bet_number=0)

        uphold(one.dispute, refund(bets=(0, 1)))
        executed(one.dispute)

        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (1000, 500)
        assert DisputeRemedy.objects.filter(dispute=one.dispute).count() == 1

    @pytest.mark.parametrize("bets", [(), (1,), (0, 99)])
    def test_is_of_bets_of_the_round_with_the_one_contested(self, bets: tuple[int, ...]) -> None:
        """Else it is no remedy for this dispute."""
        play()
        one = in_review(bet_number=0)

        with pytest.raises(InvalidDisputeRemedy, match="bets: found"):
            uphold(one.dispute, refund(bets=bets), remedy=refund(bets=bets))

        assert not Case.objects.exists()


class TestACredit:
    def test_is_one_case_a_customer_and_the_dispute_waits_for_its_own(self) -> None:
        """p-2 in the same situation has as much, by a case of his own."""
        play()
        one = in_review()

        uphold(one.dispute, credit(700, "p-2"))
        remedies = DisputeRemedy.objects.filter(dispute=one.dispute).order_by("case_id")
        assert [(row.customer.pseudonym, row.is_own) for row in remedies] == [
            ("p-1", True),
            ("p-2", False),
        ]
        executed(one.dispute)

        assert one.state() is State.CLOSED
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
        one = in_review()

        for stranger in ("p-9", "p-1"):
            with pytest.raises(InvalidDisputeRemedy, match="others: found 1"):
                uphold(one.dispute, credit(700, stranger))

        assert not Case.objects.exists()


class TestACaseThatIsThere:
    def test_is_named_and_closes_the_dispute_once_it_is_executed(self) -> None:
        """Another customer's dispute about a round that is being put right as a whole."""
        play()
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        one = in_review(pseudonym="p-2")

        uphold(one.dispute, RequestedRemedy(Way.CASE, case_id=case.pk))
        assert one.state() is State.UPHELD
        executed(one.dispute)

        assert one.state() is State.CLOSED
        assert Case.objects.count() == 1

    @pytest.mark.parametrize("which", [None, "other", "withdrawn"])
    def test_is_about_the_round_and_goes_on(self, which: str | None) -> None:
        """Else it puts nothing right."""
        play(baccarat_round("r-1"), baccarat_round("r-2"))
        other, over = opened("malfunction", "r-2"), opened("malfunction", "r-1")
        withdraw_case(case_id=over.pk, seen=1, note="x", at=NOW, actor=GIULIA)
        one = in_review()
        named = {"other": other.pk, "withdrawn": over.pk}.get(which or "")

        with pytest.raises(InvalidDisputeRemedy, match="case: found"):
            uphold(one.dispute, RequestedRemedy(Way.CASE, case_id=named))


class TestARemedyThatComesToNothing:
    @pytest.mark.parametrize("end", [reject_case, withdraw_case])
    def test_puts_the_dispute_back_into_review(self, end: Any) -> None:
        """Rejected by the second person, or withdrawn; once, however often somebody looks."""
        play()
        one = in_review()
        uphold(one.dispute, credit())
        case = own_case(one.dispute)
        end(case_id=case.pk, seen=2, note="Too much.", at=NOW, actor=LORENZO)

        assert advance_remedied_disputes(at=NOW) == 1
        assert advance_remedied_disputes(at=NOW) == 0

        assert one.state() is State.IN_REVIEW
        record = AuditRecord.objects.get(action="DISPUTE_REMEDY_FAILED")
        assert record.details["case"] == str(case)

    def test_does_not_pay_beside_the_next_one(self) -> None:
        """A rejected case may be proposed again: first it is withdrawn, or named again."""
        play()
        one = in_review()
        uphold(one.dispute, credit())
        case = own_case(one.dispute)
        reject_case(case_id=case.pk, seen=2, note="Too much.", at=NOW, actor=LORENZO)
        advance_remedied_disputes(at=NOW)

        with pytest.raises(RemedyInProgress) as refused:
            uphold(one.dispute, credit(500))
        assert refused.value.case == case
        withdraw_case(case_id=case.pk, seen=3, note="Less.", at=NOW, actor=GIULIA)
        uphold(one.dispute, credit(500))
        executed(one.dispute)

        assert balance("customer", "p-1") == 2500 + 500

    def test_is_named_where_somebody_executed_it_after_all(self) -> None:
        """Rejected, proposed again and paid: the dispute does not pay once more."""
        play()
        one = in_review()
        uphold(one.dispute, credit())
        case = own_case(one.dispute)
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
            uphold(one.dispute, credit())
        uphold(one.dispute, RequestedRemedy(Way.CASE, case_id=case.pk))

        assert advance_remedied_disputes(at=NOW) == 1
        assert balance("customer", "p-1") == 2500 + 1000


class TestFollowing:
    def test_is_harmless_when_it_is_done_twice_or_too_early(self) -> None:
        """Nothing is closed before the workers are done, and nothing twice."""
        play()
        one = in_review()
        uphold(one.dispute, credit())
        approve(own_case(one.dispute))
        assert advance_remedied_disputes(at=NOW) == 0
        while work_on_case(own_case(one.dispute).pk, now=lambda: NOW):
            pass

        assert [advance_remedied_disputes(at=NOW) for _ in range(3)] == [1, 0, 0]

        assert DisputeStep.objects.filter(dispute=one.dispute, action="closed").count() == 1

    def test_leaves_what_was_rejected(self) -> None:
        """There is no remedy."""
        play()
        one = in_review()
        reject(one.dispute)

        assert advance_remedied_dispute(dispute_id=one.dispute.pk, at=NOW) is None
