"""Programs propose decisions; service and database accept them in review only."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.models import AuditRecord
from compliance.trail.steps import StaleState, WrongStatus
from payouts.disputes.decide_dispute import Heading, InvalidCitations
from payouts.disputes.execute_remedy import InvalidDisputeRemedy
from payouts.disputes.models import Dispute, VerdictProposal
from payouts.disputes.propose_verdict import ProposedVerdict, propose_verdict
from payouts.disputes.remedies import Way
from payouts.disputes.status import dispute_statuses
from payouts.disputes.steps import NoteRequired
from tests.casino_in_play import NOW
from tests.payouts.disputes.dispute_scenarios import (
    CITED,
    PROGRAM,
    REASONS,
    answer,
    ask,
    close,
    disputed,
    play,
    reject,
    seen,
    take,
    whole,
)

pytestmark = pytest.mark.django_db
Verdict = VerdictProposal.Verdict


@pytest.fixture
def dispute() -> Dispute:
    """An open dispute."""
    play()
    return disputed()


def propose(dispute: Dispute, *, step: int | None = None, **fields: Any) -> VerdictProposal:
    """Proposes to uphold it by default."""
    proposed = ProposedVerdict(Verdict.UPHELD, REASONS, CITED)._replace(**fields)
    return propose_verdict(
        dispute_id=dispute.pk,
        seen=seen(dispute) if step is None else step,
        proposed=proposed,
        at=NOW,
        actor=PROGRAM,
    )


class TestAProposal:
    def test_is_stored_and_decides_nothing(self, dispute: Dispute) -> None:
        """The dispute stays in review."""
        take(dispute)

        proposal = propose(
            dispute, way=Way.REFUND, remedy_words=" The stake back. ", accepted_loss_cents=1300
        )

        assert (proposal.sequence, proposal.way, proposal.remedy_words) == (
            2,
            "refund",
            "The stake back.",
        )
        assert proposal.citations == [citation._asdict() for citation in CITED]
        assert dispute_statuses([dispute])[dispute.pk].latest.sequence == 2
        record = AuditRecord.objects.get(action="DISPUTE_VERDICT_PROPOSED")
        assert (record.actor, record.details["verdict"]) == (PROGRAM.name, "upheld")

    def test_is_one_of_several(self, dispute: Dispute) -> None:
        """Further proposals may follow."""
        take(dispute)
        propose(dispute)
        ask(dispute)
        answer(dispute)

        propose(dispute, verdict=Verdict.REJECTED)

        assert [proposal.sequence for proposal in VerdictProposal.objects.order_by("pk")] == [2, 4]

    @pytest.mark.parametrize(
        "until",
        [(), (take, ask), (take, reject), (take, reject, close), (take, whole)],
    )
    def test_is_refused_outside_of_review(
        self, dispute: Dispute, until: tuple[Callable[..., object], ...]
    ) -> None:
        """By the service and by the database."""
        for step in until:
            step(dispute)

        with pytest.raises(WrongStatus, match="needed in_review"):
            propose(dispute)
        with pytest.raises(IntegrityError, match="in review"), transaction.atomic():
            VerdictProposal.objects.create(
                dispute=dispute, sequence=seen(dispute), verdict="upheld", text=REASONS, at=NOW
            )

    def test_needs_the_latest_step(self, dispute: Dispute) -> None:
        """By the service and by the database."""
        take(dispute)
        take(dispute)

        with pytest.raises(StaleState):
            propose(dispute, step=2)
        with pytest.raises(IntegrityError, match="in review"), transaction.atomic():
            VerdictProposal.objects.create(
                dispute=dispute, sequence=2, verdict="upheld", text=REASONS, at=NOW
            )

    @pytest.mark.parametrize(
        ("fields", "refusal"),
        [
            ({"text": " "}, NoteRequired),
            ({"citations": ()}, InvalidCitations),
            ({"citations": (Heading("BAC", "Luck"),)}, InvalidCitations),
            ({"verdict": Verdict.REJECTED, "way": Way.REFUND}, InvalidDisputeRemedy),
        ],
    )
    def test_is_refused(
        self, dispute: Dispute, fields: dict[str, Any], refusal: type[Exception]
    ) -> None:
        """The error has field, value found and value needed."""
        take(dispute)

        with pytest.raises(refusal, match=r"found .*; needed "):
            propose(dispute, **fields)

        assert not VerdictProposal.objects.exists()
