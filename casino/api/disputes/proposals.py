"""``/disputes/{dispute}/proposals``: decisions proposed by programs. A person decides.

``/headings`` has what they may cite.
"""

from functools import partial
from http import HTTPStatus
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import disputes as shapes
from casino.api.client.shapes.page import Page
from casino.api.disputes.bodies import ProposalRequest
from casino.api.disputes.exceptions import service_errors_as_problems
from casino.api.disputes.lookup import get_dispute
from casino.api.disputes.representation import proposal_details
from casino.api.disputes.views import CHANGED, DISPUTE, IF_MATCH, BaseDisputeView
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation, path_id
from casino.api.pages import Listing, page_of
from casino.api.problems import FieldError, Problem
from casino.integrations.scopes import Scope
from payouts.disputes.decide_dispute import Heading, citable_headings
from payouts.disputes.models import VerdictProposal
from payouts.disputes.propose_verdict import ProposedVerdict, propose_verdict
from payouts.disputes.remedies import Way

_LISTING: Final = Listing("proposals", is_descending=False, most=100)


class ProposalsView(BaseDisputeView):
    """Proposed decisions."""

    required_scopes = {"GET": (Scope.DISPUTES_DECIDE,), "POST": (Scope.DISPUTES_DECIDE,)}

    @operation(
        "list_proposals",
        "List proposed decisions",
        component(Page[shapes.DecisionProposal]),
        [DISPUTE, *_LISTING.parameters],
    )
    def get(self, _request: Request, dispute: str) -> Response:
        """Oldest first, accepted or not."""
        row = get_dispute(dispute, self.caller)
        rows = VerdictProposal.objects.filter(dispute=row).select_related("dispute")
        key, shapes = self.caller.key.pk, partial(map, proposal_details)
        return Response(_LISTING.page(rows, self.params, row.pk, key, shapes=shapes))

    @operation(
        "propose_decision",
        "Propose a decision",
        {201: component(shapes.DecisionProposal), **CHANGED},
        [DISPUTE, IF_MATCH],
        request=ProposalRequest,
    )
    def post(self, request: Request, dispute: str) -> Response:
        """Proposes a decision while the dispute is in review.

        No program decides about money. The person who decides sees the proposal, may reuse its
        text, confirms with a second factor, and is recorded as the decider.
        """
        form = ProposalRequest(data=request.data)
        form.is_valid(raise_exception=True)
        locked = self.lock(request, dispute)
        with service_errors_as_problems(form.validated_data):
            proposal = propose_verdict(
                dispute_id=locked.dispute.pk,
                seen=locked.seen,
                proposed=_proposed(form.validated_data),
                at=timezone.now(),
                actor=self.caller.actor,
            )
        answer = proposal_details(proposal)
        return Response(answer, HTTPStatus.CREATED, headers={"Location": answer.links.self})


class ProposalView(BaseDisputeView):
    """One proposed decision."""

    required_scopes = {"GET": (Scope.DISPUTES_DECIDE,)}

    @operation(
        "read_proposal",
        "Read a proposed decision",
        component(shapes.DecisionProposal),
        [DISPUTE, path_id("proposal")],
    )
    def get(self, _request: Request, dispute: str, proposal: int) -> Response:
        """The decision, and the step of the dispute that it refers to. It never changes."""
        row = get_dispute(dispute, self.caller)
        rows = VerdictProposal.objects.filter(dispute=row).select_related("dispute")
        stored = rows.filter(pk=proposal).first()
        if stored is None:
            error = FieldError(
                "path:proposal", proposal, _("the ID of a proposal for this dispute")
            )
            raise Problem(problems.NOT_FOUND, errors=[error])
        return Response(proposal_details(stored))


class HeadingsView(BaseDisputeView):
    """What a decision may cite."""

    required_scopes = {"GET": (Scope.DISPUTES_DECIDE,)}

    @operation(
        "list_headings",
        "List the headings that a decision may cite",
        component(Page[shapes.CitedHeading]),
        [DISPUTE],
    )
    def get(self, _request: Request, dispute: str) -> Response:
        """The headings of the rule sheet by which the round was played, in its order."""
        headings = citable_headings(get_dispute(dispute, self.caller))
        return Response(
            page_of((shapes.CitedHeading(**heading._asdict()) for heading in headings), None)
        )


def _proposed(data: dict[str, Any]) -> ProposedVerdict:
    return ProposedVerdict(
        VerdictProposal.Verdict(data["verdict"]),
        data["text"],
        [Heading(**citation) for citation in data["citations"]],
        None if data["way"] is None else Way(data["way"]),
        data["remedy_words"],
        data["accepted_loss_cents"],
    )
