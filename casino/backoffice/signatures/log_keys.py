"""Keys of the audit log: those in force, and those that two persons approve."""

from dataclasses import dataclass
from typing import Final

from django import forms
from django.contrib import messages
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.signatures.log_losses import loss_context
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.views import show
from compliance.signatures.log_keys import (
    APPROVERS,
    LogKeyError,
    NotAnotherPerson,
    approve_log_key,
    log_key_approvals,
)
from compliance.trail.models import AuditRecord, LogKey
from compliance.trail.witnesses.cosigned_heads import witness_statuses
from compliance.trail.witnesses.policy import policy_in_force

APPROVE: Final = "signatures.approve_log_key"
"""Permission to approve keys of the audit log."""
_MOST_TEXT: Final = 2_000


class LogKeyForm(forms.Form):
    """The key as ``make_log_key`` prints it, and why it is to come into force."""

    key_id = forms.CharField(
        label=gettext_lazy("Key id"),
        validators=[RegexValidator("^[0-9a-f]{64}$")],
        help_text=gettext_lazy("The 64 digits that make_log_key prints"),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=_MOST_TEXT, widget=forms.Textarea({"rows": 2})
    )


@dataclass(frozen=True)
class LogKeyRow:
    """A key in the list."""

    key_id: str
    first_head: int | None
    """From which head on it signs; None if it does not."""
    approvals: list[AuditRecord]
    is_first: bool
    may_approve: bool

    @property
    def badge(self) -> str:
        """The name of its badge."""
        is_approved = self.is_first or len(self.approvals) >= APPROVERS
        if self.first_head is not None:
            return "log-key-in-force" if is_approved else "log-key-unsigned"
        return "log-key-approved" if is_approved else "log-key-pending"


def show_log_keys(request: HttpRequest) -> HttpResponse:
    """All keys, newest first; POST signs that one may come into force."""
    form = LogKeyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            approve_log_key(
                key_id=data["key_id"],
                reason=data["reason"],
                at=decided_at(request),
                actor=signing_actor(request),
            )
        except NotAnotherPerson:
            messages.warning(request, _("You approved this key. Another person must do so too."))
        except LogKeyError:
            messages.warning(request, _("Enter a reason."))
        else:
            messages.success(request, _("Key of the audit log approved."))
        return redirect("log_keys")
    may = request.user.has_perm(APPROVE)
    context = {
        "title": _("Log keys"),
        "rows": _rows(request, may_approve=may),
        "form": form,
        "may_approve": may,
        "witnesses": [(it, it.is_late(timezone.now())) for it in witness_statuses()],
        "quorum": policy_in_force().smallest_quorum,
        **loss_context(request),
    }
    return show(request, "backoffice/signatures/log_keys.html", context)


def _rows(request: HttpRequest, *, may_approve: bool) -> list[LogKeyRow]:
    person = request_user(request).pk
    approvals = log_key_approvals()
    in_force = list(LogKey.objects.order_by("first_head"))
    known = {key.key_id: key.first_head for key in in_force}
    rows = [
        LogKeyRow(
            key_id, first_head, list(approvals.get(key_id, [])), number == 0, may_approve=False
        )
        for number, (key_id, first_head) in enumerate(known.items())
    ]
    for key_id, records in approvals.items():
        if key_id not in known:
            by_another = all(record.actor_user_id != person for record in records)
            may = may_approve and by_another and len(records) < APPROVERS
            rows.append(LogKeyRow(key_id, None, records, is_first=False, may_approve=may))
    return rows[::-1]
