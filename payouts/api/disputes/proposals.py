"""``/disputes/{dispute}/proposals``: what programs would decide. A person decides."""

from http import HTTPStatus
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT
from payouts.api.disputes import described
from payouts.api.disputes.bodies import AskedProposal
from payouts.api.disputes.finding import found_dispute
from payouts.api.disputes.refusals import refusals_told
from payouts.api.disputes.told import proposal_told
from payouts.api.disputes.views import OfDispute
from payouts.api.paging import OLDEST_FIRST, page_of
from payouts.api.problems import FieldError, Problem
from payouts.api.rounds.told import page_told
from payouts.api.scopes import Scope
from payouts.disputes.remedies import Way
from payouts.models import VerdictProposal
from payouts.services.decide_dispute import Heading
from payouts.services.propose_verdict import ProposedVerdict, propose_verdict


class ProposalsView(OfDispute):
    """Proposed decisions."""

    needs = {"GET": (Scope.DISPUTES_DECIDE,), "POST": (Scope.DISPUTES_DECIDE,)}
    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.PROPOSALS)
    def get(self, _request: Request, dispute: str) -> Response:
        """Oldest first, whatever became of them."""
        row = found_dispute(dispute, self.caller)
        rows = VerdictProposal.objects.filter(dispute=row).select_related("dispute")
        shown, following = page_of(
            rows, self.asked, "proposals", row.pk, self.caller.key.pk, by=OLDEST_FIRST
        )
        return Response(page_told(map(proposal_told, shown), following))

    @extend_schema(**described.PROPOSING)
    def post(self, request: Request, dispute: str) -> Response:
        """Says what the program would decide, while the dispute is in review.

        No program decides about money. Whoever decides sees the proposal, may take its words
        over, and is named for the decision, with a second factor given just then.
        """
        form = AskedProposal(data=request.data)
        form.is_valid(raise_exception=True)
        held = self.held(request, dispute)
        with refusals_told(form.validated_data):
            kept = propose_verdict(
                dispute_id=held.dispute.pk,
                seen=held.seen,
                proposed=_proposed(form.validated_data),
                at=timezone.now(),
                actor=self.caller.actor,
            )
        told = proposal_told(kept)
        return Response(told, HTTPStatus.CREATED, headers={"Location": told["links"]["self"]})


class ProposalView(OfDispute):
    """One proposed decision."""

    needs = {"GET": (Scope.DISPUTES_DECIDE,)}

    @extend_schema(**described.PROPOSED)
    def get(self, _request: Request, dispute: str, proposal: int) -> Response:
        """What a program would decide, and upon which step of the dispute. It never changes."""
        row = found_dispute(dispute, self.caller)
        rows = VerdictProposal.objects.filter(dispute=row).select_related("dispute")
        kept = rows.filter(pk=proposal).first()
        if kept is None:
            error = FieldError("path:proposal", proposal, _("the id of a proposal of this dispute"))
            raise Problem(problems.NOT_FOUND, errors=[error])
        return Response(proposal_told(kept))


def _proposed(said: dict[str, Any]) -> ProposedVerdict:
    return ProposedVerdict(
        VerdictProposal.Verdict(said["verdict"]),
        said["text"],
        [Heading(**one) for one in said["citations"]],
        None if said["way"] is None else Way(said["way"]),
        said["remedy_words"],
    )
