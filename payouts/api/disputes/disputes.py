"""``/disputes``: opened by programs and by customers, and the list of those that a key may see."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api.asked import CURSOR, LIMIT
from payouts.api.disputes import described
from payouts.api.disputes.bodies import AskedDispute
from payouts.api.disputes.listing import FILTERS, listed
from payouts.api.disputes.opening import opened
from payouts.api.disputes.views import OfDispute
from payouts.api.scopes import Scope


class DisputesView(OfDispute):
    """Disputes."""

    needs = {"GET": (Scope.DISPUTES_READ,), "POST": (Scope.DISPUTES_WRITE,)}
    asks = {"GET": (*FILTERS, LIMIT, CURSOR)}

    @extend_schema(**described.DISPUTES)
    def get(self, _request: Request) -> Response:
        """Newest first. What a key may not see is not listed; a customer's own token lists his."""
        return Response(listed(self.asked, self.caller))

    @extend_schema(**described.OPENING)
    def post(self, request: Request) -> Response:
        """Contests a round, or one bet of it, for a customer. No money moves.

        In the same transaction the round is judged anew from its cards, and what was found is kept
        with the dispute and answered: `finding`. Persons take it from there. With a customer's own
        token it is about that customer's bets, always. Files are added by a call of their own:
        `POST /disputes/{dispute}/evidence`.
        """
        form = AskedDispute(data=request.data)
        form.is_valid(raise_exception=True)
        return self.told_whole(opened(form.validated_data, self.caller, at=timezone.now()))
