"""Multiplier weights: entered by one person, approved by another."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.exports.messages import SIGN
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, day_filters, field_filter, person_filter
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.badges import badge_label
from compliance.certification.models import WeightSet
from compliance.certification.queries import weights_in_force
from compliance.certification.returns.weights_document import InvalidWeights, weighted_rule_sets
from compliance.certification.services.set_weights import (
    AlreadyApproved,
    SecondPersonRequired,
    WeightsError,
    approve_weights,
    set_weights,
)
from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of

_MOST_DOCUMENT: Final = 200_000
_MOST_TEXT: Final = 2_000


class WeightsForm(forms.Form):
    """A weights document, the start of its validity, and the reason."""

    content = forms.CharField(
        label=gettext_lazy("Document (JSON)"),
        max_length=_MOST_DOCUMENT,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy("Format sabot-weights/1; see the documentation"),
    )
    in_force_from = forms.DateField(
        label=gettext_lazy("In force from"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=_MOST_TEXT, widget=forms.Textarea({"rows": 2})
    )


class _ApprovalForm(forms.Form):
    code = forms.CharField(required=False, max_length=40)


LIST: Final = ListSpec(
    name="multiplier-weights",
    filters=(
        choice_filter(
            "status",
            gettext_lazy("Status"),
            lambda: [(name, badge_label(f"weights-{name}")) for name in ("waiting", "approved")],
            lambda rows, value: rows.filter(approval__isnull=value == "waiting"),
        ),
        field_filter(
            "rules",
            gettext_lazy("Rule set"),
            lambda: [(rules.name, rules.name) for rules in weighted_rule_sets()],
        ),
        person_filter(gettext_lazy("Entered by")),
        *day_filters("in_force_from"),
    ),
    columns=(
        Column("weights", gettext_lazy("Weights"), lambda line: line[0], sort="pk"),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line[1])),
        Column("rules", gettext_lazy("Rule set"), lambda line: line[0].rules, sort="rules"),
        Column(
            "from",
            gettext_lazy("In force from"),
            lambda line: line[0].in_force_from,
            Kind.DAY,
            "in_force_from",
        ),
        Column("reason", gettext_lazy("Reason"), lambda line: line[0].reason),
        Column("entered", gettext_lazy("Entered"), lambda line: line[0].set_at, Kind.MOMENT, "pk"),
        Column(
            "approved",
            gettext_lazy("Approved"),
            lambda line: line[0].approval.approved_at if hasattr(line[0], "approval") else None,
            Kind.MOMENT,
        ),
    ),
    sort="-entered",
)


def show_weights(request: HttpRequest) -> HttpResponse:
    """All weights, newest first, with the form for users who may enter them."""
    form = WeightsForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _was_set(request, form):
        messages.success(request, _("Multiplier weights saved. Another person must approve them."))
        return redirect("weights")
    today = gaming_day(milliseconds_of(timezone.now()))
    in_force = {
        rules.name: weights_in_force(rules.name, on=today) for rules in weighted_rule_sets()
    }
    context = {
        "title": _("Multiplier weights"),
        "in_force": in_force.items(),
        "form": form,
        "may_set": request.user.has_perm(SIGN),
        "person": request_user(request),
        **confirmation_context(request),
    }

    def lines(rows: list[WeightSet]) -> list[tuple[WeightSet, str]]:
        return [(weights, _state(weights, in_force)) for weights in rows]

    rows = WeightSet.objects.select_related("approval")
    template = "backoffice/exports/multiplier_weights.html"
    return show_list(request, LIST, rows, template, context, lines_of=lines)


def approve(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve another person's weights. Requires a confirmed second factor."""
    try:
        with show_errors(request, WeightsError, message=_error_message):
            data = cleaned_data_of(_ApprovalForm(request.POST))
            require_confirmed(request, data["code"])
            approve_weights(weights_id=pk, at=decided_at(request), actor=signing_actor(request))
            messages.success(request, _("Multiplier weights approved."))
    except WeightSet.DoesNotExist as error:
        raise Http404 from error
    return redirect("weights")


def _was_set(request: HttpRequest, form: WeightsForm) -> bool:
    """Save the weights, or add the validation error to the form."""
    data = form.cleaned_data
    try:
        set_weights(
            content=data["content"],
            in_force_from=data["in_force_from"],
            reason=data["reason"],
            at=decided_at(request),
            actor=signing_actor(request),
        )
    except InvalidWeights as error:
        form.add_error("content", str(error))
        return False
    return True


def _state(weights: WeightSet, in_force: dict[str, WeightSet | None]) -> str:
    if not hasattr(weights, "approval"):
        return "weights-waiting"
    if in_force.get(weights.rules) == weights:
        return "weights-in-force"
    return "weights-approved"


def _error_message(error: WeightsError) -> str:
    match error:
        case SecondPersonRequired():
            return _("You entered these weights. Another person must approve them.")
        case AlreadyApproved():
            return _("These weights are already approved.")
    return str(error)
