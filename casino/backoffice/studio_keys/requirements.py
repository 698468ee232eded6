"""The setting of a table whether it takes unsigned rounds."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _

from casino.access.current_user import request_user
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.studio_keys.forms import RequirementForm
from casino.backoffice.studio_keys.messages import ERRORS, error_message
from casino.backoffice.studio_keys.studio_keys import APPROVE, PROPOSE, REVOKE
from rounds.models import SignatureRequirement, Table
from rounds.services.require_signatures import (
    allow_unsigned_rounds,
    propose_unsigned_rounds,
    require_signatures,
)
from rounds.signatures.requirements import latest_requirement, requires_signature_now


def requirement_context(request: HttpRequest, table: Table) -> dict[str, Any]:
    """The setting of a table, and what the user may do about it."""
    step = latest_requirement(table.pk)
    user = request_user(request)
    is_proposed = step is not None and step.action == SignatureRequirement.Action.PROPOSED
    is_another = step is not None and step.actor_user_id != user.pk
    required = requires_signature_now(table.pk)
    may_require = user.has_perm(REVOKE) and (is_proposed or not required)
    may_propose = user.has_perm(PROPOSE) and required and not is_proposed
    may_allow = user.has_perm(APPROVE) and is_proposed and is_another
    return {
        "requirement": step,
        "requires_signature": required,
        "requirement_is_proposed": is_proposed,
        "requirement_seen": 0 if step is None else step.sequence,
        "may_require": may_require,
        "may_propose_unsigned": may_propose,
        "may_allow_unsigned": may_allow,
        **(confirmation_context(request) if may_require or may_propose or may_allow else {}),
    }


def _view(
    service: Callable[..., SignatureRequirement], message: Any
) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, pk: int) -> HttpResponse:
        get_object_or_404(Table, pk=pk)
        with show_errors(request, *ERRORS, message=error_message):
            data = cleaned_data_of(RequirementForm(request.POST))
            require_confirmed(request, data["code"])
            service(
                table_id=pk,
                note=data["note"],
                seen=data["seen"],
                at=decided_at(request),
                actor=signing_actor(request),
            )
            messages.success(request, message)
        return redirect("admin:rounds_table_change", pk)

    return view


require = _view(require_signatures, _("Unsigned rounds that arrive from now on are held."))
propose = _view(propose_unsigned_rounds, _("Proposal saved. Another person must approve it."))
allow = _view(allow_unsigned_rounds, _("Unsigned rounds are allowed from now on."))
