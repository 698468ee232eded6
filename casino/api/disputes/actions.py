"""``/disputes/{dispute}/answers`` and ``/escalations``: what programs may do with a dispute.

Review, questions, decisions, closing and reopening need a user account: no operation does that.
"""

from typing import Final

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.disputes.bodies import AnswerRequest, EscalationRequest
from casino.api.disputes.exceptions import service_errors_as_problems
from casino.api.disputes.views import (
    CHANGED_DISPUTE,
    DISPUTE,
    IF_MATCH,
    BaseDisputeView,
)
from casino.api.openapi.operations import operation
from casino.integrations.scopes import Scope
from payouts.disputes.close_dispute import escalate_dispute
from payouts.disputes.review_dispute import answer_dispute
from payouts.regulator_letters import Letter

_PARAMETERS: Final = [DISPUTE, IF_MATCH]


class DisputeAnswersView(BaseDisputeView):
    """The customer's answers."""

    required_scopes = {"POST": (Scope.DISPUTES_WRITE,)}

    @operation(
        "answer_dispute",
        "Submit the customer's answer",
        CHANGED_DISPUTE,
        _PARAMETERS,
        request=AnswerRequest,
    )
    def post(self, request: Request, dispute: str) -> Response:
        """Records the customer's answer to the open question and returns the dispute to review.

        Only while the dispute waits for the customer; `question` has the question.
        """
        form = AnswerRequest(data=request.data)
        form.is_valid(raise_exception=True)
        locked = self.lock(request, dispute)
        with service_errors_as_problems(form.validated_data):
            answer_dispute(
                dispute_id=locked.dispute.pk,
                seen=locked.seen,
                note=form.validated_data["text"],
                at=timezone.now(),
                actor=self.caller.actor,
            )
        return self.details(locked.dispute)


class DisputeEscalationsView(BaseDisputeView):
    """The external body."""

    required_scopes = {"POST": (Scope.DISPUTES_WRITE,)}

    @operation(
        "escalate_dispute",
        "Escalate a dispute to the external body",
        CHANGED_DISPUTE,
        _PARAMETERS,
        request=EscalationRequest,
    )
    def post(self, request: Request, dispute: str) -> Response:
        """Records the letter with which the customer escalated to the external body.

        Only for a rejected or closed dispute. A person records the decision of the external body.
        """
        form = EscalationRequest(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        locked = self.lock(request, dispute)
        with service_errors_as_problems(data):
            escalate_dispute(
                dispute_id=locked.dispute.pk,
                seen=locked.seen,
                letter=Letter(data["reference"], data["on_day"], data["text"]),
                at=timezone.now(),
                actor=self.caller.actor,
            )
        return self.details(locked.dispute)
