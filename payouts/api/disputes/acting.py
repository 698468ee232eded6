"""What programs may do about a dispute: hand in the answer, put it before the outside body.

Only a person with an account takes, asks, decides, closes and reopens: for that there is no call.
"""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api.disputes import described
from payouts.api.disputes.bodies import AskedAnswer, AskedEscalation
from payouts.api.disputes.refusals import refusals_told
from payouts.api.disputes.views import OfDispute
from payouts.api.scopes import Scope
from payouts.services.end_dispute import Letter, escalate_dispute
from payouts.services.review_dispute import answer_dispute


class DisputeAnswersView(OfDispute):
    """The customer's answers."""

    needs = {"POST": (Scope.DISPUTES_WRITE,)}

    @extend_schema(**described.ANSWER)
    def post(self, request: Request, dispute: str) -> Response:
        """What the customer answers to what he was asked; the dispute is in review again.

        Only while the dispute waits for the customer (`question` is what he was asked).
        """
        form = AskedAnswer(data=request.data)
        form.is_valid(raise_exception=True)
        held = self.held(request, dispute)
        with refusals_told(form.validated_data):
            answer_dispute(
                dispute_id=held.dispute.pk,
                seen=held.seen,
                note=form.validated_data["text"],
                at=timezone.now(),
                actor=self.caller.actor,
            )
        return self.told_whole(held.dispute)


class DisputeEscalationsView(OfDispute):
    """The outside body."""

    needs = {"POST": (Scope.DISPUTES_WRITE,)}

    @extend_schema(**described.ESCALATION)
    def post(self, request: Request, dispute: str) -> Response:
        """Says that the customer went to the outside body, by which letter.

        Only of a dispute that was rejected or closed. What the outside body answers, a person
        puts on record.
        """
        form = AskedEscalation(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        held = self.held(request, dispute)
        with refusals_told(said):
            escalate_dispute(
                dispute_id=held.dispute.pk,
                seen=held.seen,
                letter=Letter(said["reference"], said["on_day"], said["text"]),
                at=timezone.now(),
                actor=self.caller.actor,
            )
        return self.told_whole(held.dispute)
