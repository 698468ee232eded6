"""Lost records of the audit log, on the page of its keys: two persons declare them lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.signatures.signing import decided_at, signing_actor
from compliance.signatures.log_gaps import (
    AnotherPersonRequired,
    LogGapError,
    ReasonRequired,
    confirm_log_gap,
    log_gap_proposals,
    propose_log_gap,
)
from compliance.trail.actor import is_same_person
from compliance.trail.encoding import datetime_of
from compliance.trail.log.log_gaps import (
    Declaration,
    NotDeclared,
    declaration_of,
    declared_gap,
)
from compliance.trail.log.log_losses import LogLoss, found_loss
from compliance.trail.models import AuditRecord, LogGap, TreeHead
from compliance.trail.people import actor_of

PROPOSE: Final = "signatures.propose_log_gap"
"""Permission to propose to declare records lost."""
CONFIRM: Final = "signatures.confirm_log_gap"
"""Permission to confirm what another person proposed so."""
_MOST_TEXT: Final = 2_000
_A_MINUTE: Final = timedelta(minutes=1)


class LogGapForm(forms.Form):
    """Why the records are lost."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=_MOST_TEXT,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy(
            "What happened, which backup was restored, and where it is recorded"
        ),
    )


@dataclass(frozen=True)
class LossView:
    """A loss as the page shows it."""

    loss: LogLoss
    proposals: list[tuple[AuditRecord, bool]]
    """Each with whether the user may confirm it."""
    declaration: Declaration | None
    """Both signatures; the worker is about to continue the log."""

    @property
    def stored_at(self) -> datetime:
        """When the last head that the database has was signed."""
        return datetime_of(self.loss.stored.head.at)

    @property
    def witnessed_at(self) -> datetime:
        """When the last head was signed."""
        return datetime_of(self.loss.witnessed.head.at)

    @property
    def minutes(self) -> int:
        """The time between both heads, rounded up."""
        return ceil((self.witnessed_at - self.stored_at) / _A_MINUTE)

    @property
    def next_head(self) -> int:
        """The head with which the log goes on."""
        return self.loss.witnessed.head.sequence + 1


@dataclass(frozen=True)
class GapRow:
    """A declared gap in the list."""

    gap: LogGap
    heads: Mapping[int, TreeHead]
    declaration: Declaration | None
    """None if it does not hold."""

    @property
    def first_lost(self) -> int:
        """The first lost head."""
        return self.gap.after + 1

    @property
    def records(self) -> int:
        """The number of lost records."""
        return self.heads[self.gap.sequence].size - self.heads[self.gap.after].size

    @property
    def badge(self) -> str:
        """The name of its badge."""
        return "log-gap-unsigned" if self.declaration is None else "log-gap-declared"


def loss_context(request: HttpRequest) -> dict[str, Any]:
    """What the page shows about lost records: those that wait, and declared ones."""
    loss = found_loss()
    return {
        "waiting_loss": None if loss is None else _view(loss, request),
        "may_propose_gap": request.user.has_perm(PROPOSE),
        "gap_form": LogGapForm(),
        "gaps": _gap_rows(),
    }


def propose_gap(request: HttpRequest) -> HttpResponse:
    """POST: signs that the records are lost, with the reason."""
    form = LogGapForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        propose_log_gap(
            subject=request.POST.get("loss", ""),
            reason=reason,
            at=decided_at(request),
            actor=signing_actor(request),
        )
    except LogGapError as error:
        messages.warning(request, _message(error))
    else:
        messages.success(request, _("Loss declared. Another person must confirm it."))
    return redirect("log_keys")


def confirm_gap(request: HttpRequest, proposal: UUID) -> HttpResponse:
    """POST: signs what another person proposed; the worker then continues the log."""
    try:
        confirm_log_gap(proposal=proposal, at=decided_at(request), actor=signing_actor(request))
    except LogGapError as error:
        messages.warning(request, _message(error))
    else:
        messages.success(request, _("Loss confirmed. The worker continues the log within seconds."))
    return redirect("log_keys")


def _message(error: LogGapError) -> str:
    if isinstance(error, ReasonRequired):
        return _("Enter a reason.")
    if isinstance(error, AnotherPersonRequired):
        return _("You proposed it. Another person must confirm it.")
    return _("This loss does not wait for a declaration any more.")


def _view(loss: LogLoss, request: HttpRequest) -> LossView:
    person, may = actor_of(request_user(request)), request.user.has_perm(CONFIRM)
    proposals = [
        (record, may and not is_same_person(record.actor, record.actor_user_id, person))
        for record in log_gap_proposals(loss)
    ]
    try:
        return LossView(loss, proposals, declaration_of(loss))
    except NotDeclared:
        return LossView(loss, proposals, None)


def _gap_rows() -> list[GapRow]:
    gaps = list(LogGap.objects.order_by("-sequence"))
    heads = TreeHead.objects.in_bulk([n for gap in gaps for n in (gap.after, gap.sequence)])
    return [
        GapRow(gap, heads, _declaration(gap))
        for gap in gaps
        if {gap.after, gap.sequence} <= heads.keys()
    ]


def _declaration(gap: LogGap) -> Declaration | None:
    try:
        return declared_gap(gap).declaration
    except NotDeclared:
        return None
