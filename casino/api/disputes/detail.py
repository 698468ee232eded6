"""``/disputes/{dispute}``: its details, its steps, and the proofs of its finding."""

from functools import partial
from http import HTTPStatus
from typing import Final
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import disputes as shapes
from casino.api.client.shapes.page import Page
from casino.api.client.shapes.proofs import RecordProof
from casino.api.disputes.lookup import get_dispute
from casino.api.disputes.replay_comparison import finding_to_json
from casino.api.disputes.representation import dispute_details, step_details
from casino.api.disputes.views import DISPUTE, BaseDisputeView
from casino.api.etags import cache_headers, etag_of, is_not_modified
from casino.api.openapi.components import component
from casino.api.openapi.operations import (
    IF_NONE_MATCH,
    NOT_MODIFIED,
    operation,
    problem,
)
from casino.api.pages import Listing, Order
from casino.api.problems import FieldError, Problem
from casino.api.rounds.proofs import proof_of
from casino.integrations.scopes import Scope
from payouts.disputes.models import DisputeStep

_STEPS: Final = Listing("steps", (Order(columns=("sequence",)),), is_descending=False, most=100)


class DisputeView(BaseDisputeView):
    """A dispute with everything."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,)}

    @operation(
        "read_dispute",
        "Read a dispute",
        {200: component(shapes.DisputeDetails), 304: NOT_MODIFIED},
        [DISPUTE, IF_NONE_MATCH],
    )
    def get(self, request: Request, dispute: str) -> HttpResponse:
        """The state, the due time, the finding, the decision and the remedy.

        `ETag` changes with the content: send it as `If-None-Match` to read only changes (304), and
        as `If-Match` on a POST to act only on this version.
        """
        answer = dispute_details(get_dispute(dispute, self.caller), self.caller)
        headers = cache_headers(etag_of(answer))
        if is_not_modified(request, headers["ETag"]):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(answer, headers=headers)


class DisputeStepsView(BaseDisputeView):
    """The steps of a dispute."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,)}

    @operation(
        "list_dispute_steps",
        "List the steps of a dispute",
        component(Page[shapes.DisputeStep]),
        [DISPUTE, *_STEPS.parameters],
    )
    def get(self, _request: Request, dispute: str) -> Response:
        """Oldest first. A customer sees the steps addressed to the customer, and no names."""
        row = get_dispute(dispute, self.caller)
        rows = DisputeStep.objects.filter(dispute=row)
        key, details = self.caller.key.pk, partial(step_details, caller=self.caller)
        page = _STEPS.page(rows, self.params, row.pk, key, shapes=partial(map, details))
        return Response(page)


class DisputeProofView(BaseDisputeView):
    """The proof of a record of the finding."""

    required_scopes = {"GET": (Scope.DISPUTES_READ,)}

    @operation(
        "prove_dispute_record",
        "Prove that a record of the finding is in the signed log",
        {
            200: component(RecordProof),
            **problem(409, "The record is not in the signed log yet"),
        },
        [DISPUTE, OpenApiParameter("record", OpenApiTypes.UUID, OpenApiParameter.PATH)],
    )
    def get(self, _request: Request, dispute: str, record: UUID) -> Response:
        """The inclusion proof of an audit record of the round (docs/proof.md).

        409 for some seconds, until the record is in the signed log.
        """
        finding = finding_to_json(get_dispute(dispute, self.caller), self.caller)
        if str(record) not in {entry["id"] for entry in finding["records"]}:
            error = FieldError(
                "path:record", str(record), _("an audit record to which the evaluation refers")
            )
            raise Problem(problems.NOT_FOUND, errors=[error])
        return Response(proof_of(record))
