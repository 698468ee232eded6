"""The weights that no sheet tells: set by one person, approved by another."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.certification.models import WeightSet
from compliance.certification.queries import weights_in_force
from compliance.certification.services.set_weights import (
    ApprovedAlready,
    NotByAnother,
    WeightsRefused,
    approve_weights,
    set_weights,
)
from compliance.certification.weights_document import WeightsNotUsable, weighed_rule_sets
from compliance.exports.pages.words import SIGN
from payouts.pages.asked import asker
from payouts.pages.confirming import is_confirmed, require_confirmed
from payouts.pages.deeds import asked_of, refusals_told
from payouts.pages.own_pages import person_of, show
from payouts.pages.paging import page_of
from payouts.pages.second_factor import has_factor
from rounds.gaming_day import gaming_day
from rounds.storage import milliseconds_of

_MOST_DOCUMENT: Final = 200_000
_MOST_TEXT: Final = 2_000


class WeightsForm(forms.Form):
    """A document, from when on it counts, and why."""

    content = forms.CharField(
        label=gettext_lazy("Document (JSON)"),
        max_length=_MOST_DOCUMENT,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy("its form is that of sabot-weights/1, as the handbook tells it"),
    )
    in_force_from = forms.DateField(
        label=gettext_lazy("In force from"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=_MOST_TEXT, widget=forms.Textarea({"rows": 2})
    )


class _ApprovalForm(forms.Form):
    code = forms.CharField(required=False, max_length=40)


def show_weights(request: HttpRequest) -> HttpResponse:
    """All weights that were set, newest first; the form for those who may set some."""
    form = WeightsForm(request.POST if request.method == "POST" else None)
    may = request.user.has_perm(SIGN)
    if request.method == "POST" and may and form.is_valid() and _was_set(request, form):
        messages.success(request, _("The weights are set. Another person has to approve them."))
        return redirect("weights")
    page = page_of(
        WeightSet.objects.select_related("approval"),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    today = gaming_day(milliseconds_of(timezone.now()))
    in_force = {rules.name: weights_in_force(rules.name, on=today) for rules in weighed_rule_sets()}
    context = {
        "title": _("Weights"),
        "page": page,
        "rows": [(one, _state(one, in_force)) for one in page.rows],
        "in_force": in_force.items(),
        "form": form,
        "may_set": may,
        "person": person_of(request),
        "has_factor": has_factor(person_of(request)),
        "confirmed": is_confirmed(request),
    }
    return show(request, "pages/exports/weights.html", context)


def approve(request: HttpRequest, pk: int) -> HttpResponse:
    """Approves weights that another person set, by somebody who has just proved who it is."""
    try:
        with refusals_told(request, WeightsRefused, words=_refusal_words):
            asked = asked_of(_ApprovalForm(request.POST))
            require_confirmed(request, asked["code"])
            approve_weights(weights_id=pk, at=timezone.now(), actor=asker(request))
            messages.success(request, _("The weights are approved."))
    except WeightSet.DoesNotExist as error:
        raise Http404 from error
    return redirect("weights")


def _was_set(request: HttpRequest, form: WeightsForm) -> bool:
    """Sets them, or tells in the form which field of the document is wrong."""
    try:
        set_weights(**form.cleaned_data, at=timezone.now(), actor=asker(request))
    except WeightsNotUsable as refusal:
        form.add_error("content", str(refusal))
        return False
    return True


def _state(weights: WeightSet, in_force: dict[str, WeightSet | None]) -> str:
    if not hasattr(weights, "approval"):
        return "weights-waiting"
    if in_force.get(weights.rules) == weights:
        return "weights-in-force"
    return "weights-approved"


def _refusal_words(refusal: WeightsRefused) -> str:
    match refusal:
        case NotByAnother():
            return _("You set these weights: another person approves them.")
        case ApprovedAlready():
            return _("Another person has approved them already.")
    return str(refusal)
