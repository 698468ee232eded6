"""``/disputes/{dispute}``: all about one, its steps, and the proofs of what was found."""

from http import HTTPStatus
from typing import Final
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.trail.nodes import NotInLog
from compliance.trail.proofs import prove_record
from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT
from payouts.api.disputes import described
from payouts.api.disputes.finding import found_dispute
from payouts.api.disputes.found import finding_told
from payouts.api.disputes.told import dispute_told, step_told
from payouts.api.disputes.views import OfDispute
from payouts.api.etags import etag_of, is_known, kept
from payouts.api.paging import Numbered, page_of
from payouts.api.problems import FieldError, Problem
from payouts.api.rounds.one import NOT_IN_LOG
from payouts.api.rounds.told import page_told
from payouts.api.scopes import Scope
from payouts.models import DisputeStep

_RETRY_SECONDS: Final = "2"
_IN_ORDER: Final = Numbered("sequence")


class DisputeView(OfDispute):
    """A dispute with everything."""

    needs = {"GET": (Scope.DISPUTES_READ,)}

    @extend_schema(**described.DISPUTE)
    def get(self, request: Request, dispute: str) -> HttpResponse:
        """Where it stands and by when, what was found, what was decided, how it is made good.

        `ETag` changes with whatever is told here: `If-None-Match` saves asking for the same again
        (304), and `If-Match` on a POST says that it is meant upon just this.
        """
        told = dispute_told(found_dispute(dispute, self.caller), self.caller)
        etag = etag_of(told)
        if is_known(request, etag):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=kept(etag))
        return Response(told, headers=kept(etag))


class DisputeStepsView(OfDispute):
    """What was done about a dispute."""

    needs = {"GET": (Scope.DISPUTES_READ,)}
    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.STEPS)
    def get(self, _request: Request, dispute: str) -> Response:
        """Oldest first. A customer is told what was said to him, and of nobody's name."""
        row = found_dispute(dispute, self.caller)
        rows = DisputeStep.objects.filter(dispute=row)
        shown, following = page_of(
            rows, self.asked, "steps", row.pk, self.caller.key.pk, by=_IN_ORDER
        )
        return Response(page_told((step_told(one, self.caller) for one in shown), following))


class DisputeProofView(OfDispute):
    """The proof of a record that the finding names."""

    needs = {"GET": (Scope.DISPUTES_READ,)}

    @extend_schema(**described.PROOF)
    def get(self, _request: Request, dispute: str, record: UUID) -> Response:
        """That a record of the round is in the signed log (docs/proof.md).

        409 for the seconds until it is there.
        """
        told = finding_told(found_dispute(dispute, self.caller), self.caller)
        if str(record) not in {one["id"] for one in told["records"]}:
            error = FieldError("path:record", str(record), _("a record that the finding names"))
            raise Problem(problems.NOT_FOUND, errors=[error])
        try:
            return Response(prove_record(record))
        except NotInLog:
            raise Problem(NOT_IN_LOG, headers={"Retry-After": _RETRY_SECONDS}) from None
