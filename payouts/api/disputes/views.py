"""What the views of disputes share: the dispute that is meant, as it was when somebody read it."""

from http import HTTPStatus
from typing import Any, NamedTuple

from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api.disputes.finding import found_dispute
from payouts.api.disputes.refusals import moved
from payouts.api.disputes.told import dispute_told
from payouts.api.etags import etag_of, is_other, kept
from payouts.api.views import ApiView
from payouts.models import Dispute
from payouts.services.dispute_steps import hold_dispute


class Held(NamedTuple):
    """A dispute that is locked for this call, and its latest step."""

    dispute: Dispute
    seen: int


class OfDispute(ApiView):
    """What is about one dispute."""

    def held(self, request: Request, named: str) -> Held:
        """The dispute, locked, if it stands as the program read it. Raises Problem.

        The program says by If-Match which ETag it acts upon; without that it acts upon whatever
        is there.
        """
        dispute = found_dispute(named, self.caller)
        latest = hold_dispute(dispute.pk, seen=None).standing.latest.sequence
        etag = etag_of(dispute_told(dispute, self.caller))
        if is_other(request, etag):
            raise moved(request.headers["If-Match"], etag)
        return Held(dispute, latest)

    def told_whole(self, dispute: Dispute, status: HTTPStatus = HTTPStatus.CREATED) -> Response:
        """All about a dispute, with its ETag."""
        told: dict[str, Any] = dispute_told(dispute, self.caller)
        headers = kept(etag_of(told)) | {"Location": told["links"]["self"]}
        return Response(told, status, headers=headers)
