"""Downloads of proofs: of an audit record, and of all records of a round."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from casino.backoffice.site.downloads import json_attachment
from compliance.signatures.signed_proof import prove_decision
from compliance.trail.log.proofs import receipt_of
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.models import AuditRecord
from rounds.models import Round


def proof(request: HttpRequest, record_id: UUID) -> HttpResponse:
    """The proof of a record; before it is logged, a message on its page."""
    if not AuditRecord.objects.filter(pk=record_id).exists():
        raise Http404
    try:
        content = prove_decision(record_id)
    except NotInLog:
        messages.warning(request, _not_yet())
        return redirect("admin:trail_auditrecord_change", record_id)
    return json_attachment(content, name=f"proof-{str(record_id)[-12:]}.json")


def receipt(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The proofs of all records of a round, for the customer."""
    row = Round.objects.filter(pk=round_id).first()
    if row is None:
        raise Http404
    try:
        content = receipt_of(row.reference)
    except NotInLog:
        messages.warning(request, _not_yet())
        return redirect("admin:rounds_round_change", round_id)
    return json_attachment(content, name=f"receipt-{row.reference}.json")


def _not_yet() -> str:
    return _("The record is not in the signed log yet. Try again in a few seconds.")
