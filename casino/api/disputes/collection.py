"""``/disputes``: open a dispute, list disputes."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.client.shapes.disputes import DisputeDetails, ListedDispute
from casino.api.client.shapes.page import Page
from casino.api.disputes.bodies import DisputeRequest
from casino.api.disputes.dispute_list import PARAMETERS, dispute_page
from casino.api.disputes.open_dispute import open_requested_dispute
from casino.api.disputes.views import BaseDisputeView
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.integrations.scopes import Scope


class DisputesView(BaseDisputeView):
    """The list of disputes."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,), "POST": (Scope.DISPUTES_WRITE,)}

    @operation(
        "list_disputes",
        "List disputes",
        component(Page[ListedDispute]),
        PARAMETERS,
    )
    def get(self, _request: Request) -> Response:
        """Newest first, those that the key may read; a customer's token lists that customer's."""
        return Response(dispute_page(self.params, self.caller))

    @operation(
        "open_dispute",
        "Open a dispute",
        {201: component(DisputeDetails)},
        request=DisputeRequest,
    )
    def post(self, request: Request) -> Response:
        """Disputes a round, or one bet of it, for a customer. No money moves.

        The same transaction replays the round from its cards and stores the result with the
        dispute: `finding`. People review it. A customer's own token can dispute only that
        customer's bets. Evidence is a separate call: `POST /disputes/{dispute}/evidence`.
        """
        form = DisputeRequest(data=request.data)
        form.is_valid(raise_exception=True)
        dispute = open_requested_dispute(form.validated_data, self.caller, at=timezone.now())
        return self.details(dispute)
