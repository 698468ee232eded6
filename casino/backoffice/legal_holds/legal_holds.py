"""Legal holds: list, place, lift."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    person_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_fields import DaysForm
from compliance.retention.legal_holds import (
    AlreadyLifted,
    LegalHoldError,
    NotByAnother,
    lift_hold,
    place_hold,
)
from compliance.retention.models import LegalHold

LOOK: Final = "payouts.view_legalhold"
"""Permission to view holds."""
PLACE: Final = "payouts.place_hold"
"""Permission to place a hold."""
LIFT: Final = "payouts.lift_hold"
"""Permission to lift another person's hold."""

_MOST_TEXT: Final = 2_000


class HoldForm(DaysForm):
    """The gaming days, the subject and the order reference of a hold."""

    last_day = forms.DateField(
        label=gettext_lazy("Last gaming day"),
        required=False,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        help_text=gettext_lazy("Empty: all future days included"),
    )
    about = forms.CharField(
        label=gettext_lazy("Subject"), max_length=_MOST_TEXT, widget=forms.Textarea({"rows": 2})
    )
    reference = forms.CharField(label=gettext_lazy("Order reference"), max_length=100)


def _badge_of(hold: LegalHold) -> str:
    return badge_label("hold-lifted" if hasattr(hold, "lift") else "hold-placed")


LIST: Final = ListSpec(
    name="legal-holds",
    filters=(
        choice_filter(
            "status",
            gettext_lazy("Status"),
            lambda: [(name, badge_label(f"hold-{name}")) for name in ("placed", "lifted")],
            lambda rows, value: rows.filter(lift__isnull=value == "placed"),
        ),
        text_filter(
            "reference",
            gettext_lazy("Reference"),
            lambda rows, value: rows.filter(reference__icontains=value),
        ),
        person_filter(gettext_lazy("Placed by")),
        *time_filters("placed_at"),
    ),
    columns=(
        Column("hold", gettext_lazy("Hold"), str, sort="pk"),
        Column("status", gettext_lazy("Status"), _badge_of),
        Column(
            "days",
            gettext_lazy("Days"),
            lambda row: f"{row.first_day} / {row.last_day or ''}",
            sort="first_day",
        ),
        Column("about", gettext_lazy("About"), lambda row: row.about),
        Column("reference", gettext_lazy("Reference"), lambda row: row.reference, sort="reference"),
        Column("placed", gettext_lazy("Placed"), lambda row: row.placed_at, Kind.MOMENT, "pk"),
        Column(
            "lifted",
            gettext_lazy("Lifted"),
            lambda row: row.lift.lifted_at if hasattr(row, "lift") else None,
            Kind.MOMENT,
        ),
    ),
    sort="-placed",
)


def show_holds(request: HttpRequest) -> HttpResponse:
    """All holds, newest first, with the form for users who may place one."""
    form = HoldForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        place_hold(
            first_day=data["first_day"],
            last_day=data["last_day"],
            about=data["about"],
            reference=data["reference"],
            at=decided_at(request),
            actor=signing_actor(request),
        )
        messages.success(request, _("Legal hold placed."))
        return redirect("holds")
    context = {
        "title": _("Legal holds"),
        "form": form,
        "may_place": request.user.has_perm(PLACE),
        "may_lift": request.user.has_perm(LIFT),
        "person": request_user(request),
    }
    rows = LegalHold.objects.select_related("lift")
    return show_list(request, LIST, rows, "backoffice/legal_holds/holds.html", context)


def lift(request: HttpRequest, hold_id: int) -> HttpResponse:
    """Lift a hold."""
    try:
        lift_hold(
            hold_id=hold_id,
            reason=request.POST.get("reason", "")[:_MOST_TEXT].replace("\0", ""),
            at=decided_at(request),
            actor=signing_actor(request),
        )
    except LegalHold.DoesNotExist as error:
        raise Http404 from error
    except NotByAnother:
        messages.warning(request, _("You placed this hold. Another person must lift it."))
    except AlreadyLifted:
        messages.warning(request, _("This hold is already lifted."))
    except LegalHoldError:
        messages.error(request, _("Enter a reason. It is stored with the decision."))
    else:
        messages.success(request, _("Legal hold lifted."))
    return redirect("holds")
