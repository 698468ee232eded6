"""Dossiers of disputes: asked for, told, taken away."""

from http import HTTPStatus
from typing import Final

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.exports.api.dossiers import described
from compliance.exports.api.dossiers.finding import (
    check_reader,
    found_dossier,
    seen_dossiers,
)
from compliance.exports.api.dossiers.told import FILES, dossier_told, is_signed
from compliance.exports.dossier.files import CONTENT_TYPES
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.download_dossier import NotSigned, download_dossier
from compliance.exports.services.issue_dossier import issue_dossier
from compliance.exports.tasks import ring_for_dossiers
from payouts.api import problems
from payouts.api.asked import CURSOR, LIMIT
from payouts.api.disputes.finding import found_dispute
from payouts.api.files import FileRenderer, file_answer
from payouts.api.paging import NEWEST_FIRST, page_of
from payouts.api.problems import FieldError, Problem, kind
from payouts.api.rendering import JsonRenderer
from payouts.api.rounds.told import page_told
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from rounds.services.table_fields import one_of

_RETRY: Final = {"Retry-After": "5"}
"""Seconds; a worker is called at once, and looks by itself every half a minute."""
NOT_SIGNED: Final = kind(
    "not-signed",
    409,
    _("It is not signed yet"),
    _("A worker that holds the key signs it. Ask again after the seconds of Retry-After."),
)


class DossiersView(ApiView):
    """The dossiers of a dispute."""

    needs = {
        "GET": (Scope.DISPUTES_READ,),
        "POST": (Scope.DISPUTES_READ, Scope.DISPUTES_WRITE),
    }
    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.DOSSIERS)
    def get(self, _request: Request, dispute: str) -> Response:
        """Newest first, those of the readers for whom the key may ask."""
        found = found_dispute(dispute, self.caller)
        rows = seen_dossiers(found, self.caller).defer("content")
        shown, following = page_of(
            rows, self.asked, "dossiers", found.pk, self.caller.key.pk, by=NEWEST_FIRST
        )
        told = [dossier_told(one, dispute=str(found)) for one in shown]
        return Response(page_told(told, following))

    @extend_schema(**described.ASKING)
    def post(self, request: Request, dispute: str) -> Response:
        """Fixes what is known of the dispute now, for one of three readers; a worker signs it.

        202, and it waits for its signature. 200 where the latest for the same reader tells all
        there is; that one is given. The regulator's says who else bet in the same way, so it needs
        `exports:read`, too; a customer's own token asks for the customer's.
        """
        found = found_dispute(dispute, self.caller)
        form = described.AskedDossier(data=request.data)
        form.is_valid(raise_exception=True)
        reader = Dossier.Audience(form.validated_data["reader"])
        check_reader(reader, self.caller)
        one, is_new = issue_dossier(found, reader, at=timezone.now(), actor=self.caller.actor)
        transaction.on_commit(ring_for_dossiers)
        told = dossier_told(one, dispute=str(found))
        status = HTTPStatus.ACCEPTED if is_new else HTTPStatus.OK
        return Response(told, status, headers={"Location": told["links"]["self"], **_wait(one)})


class DossierView(ApiView):
    """One dossier."""

    needs = {"GET": (Scope.DISPUTES_READ,)}

    @extend_schema(**described.DOSSIER)
    def get(self, _request: Request, dispute: str, dossier: int) -> Response:
        """Whether it is signed, and where its files are. What it says never changes."""
        found = found_dispute(dispute, self.caller)
        one = found_dossier(found, dossier, self.caller)
        return Response(dossier_told(one, dispute=str(found)), headers=_wait(one))


class _FilesView(ApiView):
    """What gives a file of a dossier away."""

    needs = {"GET": (Scope.DISPUTES_READ,)}
    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    def given(self, dispute: str, dossier: int, form: str) -> HttpResponse:
        """The file; who took it is on record. Raises Problem."""
        one = found_dossier(found_dispute(dispute, self.caller), dossier, self.caller)
        try:
            content = download_dossier(one, form, at=timezone.now(), actor=self.caller.actor)
        except NotSigned:
            raise Problem(NOT_SIGNED, headers=_RETRY) from None
        name = f"{one.name}.{form}"
        return file_answer(content, content_type=CONTENT_TYPES[form], name=name)


class DossierDownloadView(_FilesView):
    """All of a dossier in one file."""

    @extend_schema(**described.DOWNLOAD)
    def get(self, _request: Request, dispute: str, dossier: int) -> HttpResponse:
        """A ZIP: README, what was signed, its signature, the PDFs, what was handed in."""
        return self.given(dispute, dossier, "zip")


class DossierFileView(_FilesView):
    """A part of a dossier by itself."""

    @extend_schema(**described.FILE)
    def get(self, _request: Request, dispute: str, dossier: int, file: str) -> HttpResponse:
        """What was signed, its signature, or a PDF; the PDFs need no signature to be given."""
        if file not in FILES:
            error = FieldError("path:file", file, one_of(list(FILES)))
            raise Problem(problems.NOT_FOUND, errors=[error])
        return self.given(dispute, dossier, FILES[file])


def _wait(dossier: Dossier) -> dict[str, str]:
    return {} if is_signed(dossier) else _RETRY
