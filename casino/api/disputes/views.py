"""What the views of disputes share: the locked dispute, its answer, its OpenAPI parameters."""

from http import HTTPStatus
from typing import Any, Final, NamedTuple

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.client.shapes.disputes import DisputeDetails
from casino.api.disputes.exceptions import etag_mismatch
from casino.api.disputes.lookup import get_dispute
from casino.api.disputes.representation import dispute_details
from casino.api.etags import cache_headers, etag_of, is_precondition_failed
from casino.api.openapi.components import component
from casino.api.openapi.operations import header, problem
from casino.api.views import ApiView
from payouts.disputes.models import Dispute
from payouts.disputes.steps import lock_dispute

DISPUTE: Final = OpenApiParameter(
    "dispute",
    str,
    OpenApiParameter.PATH,
    description="The reference of the dispute",
    examples=[OpenApiExample("the first", value="D-0001")],
)
IF_MATCH: Final = header("If-Match", "The ETag of the dispute that was read; 412 if it has changed")
CHANGED: Final = problem(412, "The dispute has changed")
CHANGED_DISPUTE: Final[dict[Any, Any]] = {201: component(DisputeDetails), **CHANGED}


class LockedDispute(NamedTuple):
    """A dispute that is locked for this call, and the sequence of its latest step."""

    dispute: Dispute
    seen: int


class BaseDisputeView(ApiView):
    """A view of one dispute."""

    def lock(self, request: Request, reference: str) -> LockedDispute:
        """Locks the dispute. Raises Problem (412) if If-Match names another ETag than its own.

        Without If-Match the current version is used.
        """
        dispute = get_dispute(reference, self.caller)
        latest = lock_dispute(dispute.pk, seen=None).status.latest.sequence
        etag = etag_of(dispute_details(dispute, self.caller))
        if is_precondition_failed(request, etag):
            raise etag_mismatch(request.headers["If-Match"], etag)
        return LockedDispute(dispute, latest)

    def details(self, dispute: Dispute, status: HTTPStatus = HTTPStatus.CREATED) -> Response:
        """The details of a dispute, with its ETag."""
        answer = dispute_details(dispute, self.caller)
        headers = cache_headers(etag_of(answer)) | {"Location": answer.links.self}
        return Response(answer, status, headers=headers)
