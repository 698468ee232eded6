"""A dispute is remedied by settling its round again."""

import pytest

from payouts.cases.models import Case, Reason
from payouts.cases.propose_case import EffectChanged, RoundsNotDecidable
from payouts.cases.remedies import Remedy
from payouts.disputes.close_dispute import advance_remedied_dispute
from payouts.disputes.models import Dispute
from payouts.disputes.remedies import RequestedRemedy, Way, resettlement_remedies
from payouts.disputes.status import State
from payouts.settlement.models import Settlement
from rounds.models import Round
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD, approve, execute
from tests.payouts.disputes.dispute_scenarios import (
    executed,
    in_review,
    own_case,
    play,
    resettled,
    uphold,
    voided_wrongly,
)
from tests.payouts.settlement.resettlement_scenarios import LORENZO, balance, resettle, sequences

pytestmark = pytest.mark.django_db


class TestSettlingAgain:
    def test_is_of_the_sheet_only_as_the_sheet_provides(self) -> None:
        """That of baccarat voids a round with a malfunction."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        remedies = resettlement_remedies(Round.objects.get())

        assert [remedy for remedy, is_of_sheet in remedies.items() if is_of_sheet] == [Remedy.VOID]
        assert Remedy.REAL_RESULT in remedies

    def test_runs_from_the_dispute_to_its_end(self) -> None:
        """A wrong void: p-1 has 12.00, then 25.00 by the rules."""
        open_table()
        feed = lines(baccarat_round("r-1"))
        ingest(feed)
        settle()
        voided_wrongly()
        assert balance("customer", "p-1") == 1200
        review = in_review(bet_number=0)

        uphold(review.dispute, resettled())
        assert review.state() is State.UPHELD
        assert balance("customer", "p-1") == 1200  # nobody has signed
        assert advance_remedied_dispute(dispute_id=review.dispute.pk, at=NOW) is None
        closed = executed(review.dispute)

        assert closed is not None
        assert (closed.action, closed.note) == ("closed", str(own_case(review.dispute)))
        assert sequences() == [(1, "settled"), (2, "void"), (3, "settled")]
        assert balance("customer", "p-1") == 2500
        assert_books_are_right(feed)

    def test_is_a_case_that_names_the_dispute(self) -> None:
        """The settlement's reason contains it."""
        play()
        voided_wrongly()
        review = in_review()

        step = uphold(review.dispute, resettled())
        executed(review.dispute)

        case = own_case(review.dispute)
        assert case.kind == Case.Kind.MALFUNCTION
        assert [(row.action, row.actor) for row in case.steps.order_by("sequence")] == [
            ("opened", step.actor),
            ("proposed", step.actor),
            ("approved", LORENZO.name),
        ]
        assert str(review.dispute) in Settlement.objects.get(sequence=3).reason

    def test_of_a_held_round_is_a_release(self) -> None:
        """It is voided, because the rules cannot settle it."""
        play(held_baccarat_round("r-1"))
        review = in_review()
        checked = Reason.objects.get(code="checked-on-video")

        uphold(review.dispute, RequestedRemedy(Way.RESETTLE, checked, Remedy.VOID))

        assert executed(review.dispute) is not None
        assert own_case(review.dispute).kind == Case.Kind.RELEASE
        assert sequences() == [(1, "void")]

    def test_by_corrected_cards_is_a_correction(self) -> None:
        """Without the card too many p-1 has 25.00."""
        play(held_baccarat_round("r-1"))
        review = in_review(reason=Dispute.Reason.WRONG_CARDS)
        misread = Reason.objects.get(code="misread-card")

        uphold(
            review.dispute, RequestedRemedy(Way.RESETTLE, misread, Remedy.CORRECT, NO_EXTRA_CARD)
        )
        executed(review.dispute)

        assert own_case(review.dispute).kind == Case.Kind.CORRECTION
        assert review.state() is State.CLOSED
        assert balance("customer", "p-1") == 2500

    def test_that_changes_nothing_is_refused_and_nothing_is_written(self) -> None:
        """The round is already paid by its rules."""
        play()
        review = in_review()

        with pytest.raises(RoundsNotDecidable):
            uphold(review.dispute, resettled())

        assert review.state() is State.IN_REVIEW
        assert not Case.objects.exists()

    def test_on_another_effect_than_was_seen_is_refused(self) -> None:
        """As in cases."""
        play()
        voided_wrongly()
        review = in_review()
        blind = resettled()._replace(effect_digest=b"x" * 32)

        with pytest.raises(EffectChanged):
            uphold(review.dispute, resettled(), remedy=blind)

        assert review.state() is State.IN_REVIEW

    def test_that_was_overtaken_returns_the_dispute_to_review(self) -> None:
        """The round was settled again after the approval."""
        play()
        voided_wrongly()
        review = in_review()
        uphold(review.dispute, resettled())
        case = own_case(review.dispute)
        approve(case)
        resettle(after=2)
        execute(case, at=NOW)

        step = advance_remedied_dispute(dispute_id=review.dispute.pk, at=NOW)

        assert step is not None
        assert step.action == "remedy_failed"
        assert review.state() is State.IN_REVIEW
