"""Legal holds: which are in force, placing one, lifting another person's."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.models import LegalHold
from payouts.pages.asked import asker
from payouts.pages.own_pages import person_of, show
from payouts.pages.paging import page_of
from payouts.services.hold_days import (
    HoldRefused,
    LiftedAlready,
    NotByAnother,
    lift_hold,
    place_hold,
)

LOOK: Final = "payouts.view_legalhold"
"""The permission to see holds."""
PLACE: Final = "payouts.place_hold"
"""The permission to place one."""
LIFT: Final = "payouts.lift_hold"
"""The permission to lift one that another placed."""

_MOST_TEXT: Final = 2_000


class HoldForm(forms.Form):
    """Which gaming days, about what, by whose order."""

    first_day = forms.DateField(
        label=gettext_lazy("First gaming day"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last gaming day"),
        required=False,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        help_text=gettext_lazy("empty: every day to come, too"),
    )
    about = forms.CharField(
        label=gettext_lazy("About whom or what"),
        max_length=_MOST_TEXT,
        widget=forms.Textarea({"rows": 2}),
    )
    reference = forms.CharField(label=gettext_lazy("Reference of the order"), max_length=100)

    def clean(self) -> dict[str, Any]:
        """Days in their order."""
        asked = super().clean() or {}
        first, last = asked.get("first_day"), asked.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("This is before the first day."))
        return asked


def show_holds(request: HttpRequest) -> HttpResponse:
    """Every hold, newest first; the form for those who may place one."""
    form = HoldForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and request.user.has_perm(PLACE) and form.is_valid():
        place_hold(**form.cleaned_data, at=timezone.now(), actor=asker(request))
        messages.success(request, _("The hold is in force."))
        return redirect("holds")
    page = page_of(
        LegalHold.objects.select_related("lift"),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    context = {
        "title": _("Legal holds"),
        "page": page,
        "rows": page.rows,
        "form": form,
        "may_place": request.user.has_perm(PLACE),
        "may_lift": request.user.has_perm(LIFT),
        "person": person_of(request),
    }
    return show(request, "pages/holds.html", context)


def lift(request: HttpRequest, hold_id: int) -> HttpResponse:
    """Lifts a hold, or says why not."""
    try:
        lift_hold(
            hold_id=hold_id,
            reason=request.POST.get("reason", "")[:_MOST_TEXT].replace("\0", ""),
            at=timezone.now(),
            actor=asker(request),
        )
    except LegalHold.DoesNotExist as error:
        raise Http404 from error
    except NotByAnother:
        messages.warning(request, _("You placed this hold: another person lifts it."))
    except LiftedAlready:
        messages.warning(request, _("Another person has lifted it already."))
    except HoldRefused:
        messages.error(request, _("Say why: it is kept with the decision."))
    else:
        messages.success(request, _("The hold is lifted."))
    return redirect("holds")
