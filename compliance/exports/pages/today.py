"""What of the exports waits for a person today."""

from typing import Any, Final

from django.db.models import OuterRef, Q, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.pages.words import SIGN
from payouts.pages.home import Count
from payouts.pages.home import add_today as add_the_rest

_MOST_COUNTED: Final = 99
_DONE: Final = [
    BundleStep.Action.SENT,
    BundleStep.Action.RECEIVED,
    BundleStep.Action.SET_ASIDE,
]


def add_today(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The home page's context, with the bundles that wait for those who sign them."""
    context = add_the_rest(request, context)
    if "counts" in context and request.user.has_perm(SIGN):
        number = len(_waiting()[: _MOST_COUNTED + 1])
        waiting = Count(
            _("Bundles to sign or to send"),
            _("for the regulator"),
            "bundle",
            reverse("exports"),
            min(number, _MOST_COUNTED),
            is_capped=number > _MOST_COUNTED,
        )
        context["counts"].append(waiting)
    return context


def _waiting() -> Any:  # noqa: ANN401  a query of numbers
    """Bundles whose place no other took, and of which nothing was sent or set aside last."""
    latest = BundleStep.objects.filter(bundle=OuterRef("number")).order_by("-sequence")
    found = Bundle.objects.filter(superseded_by=None).annotate(
        latest=Subquery(latest.values("action")[:1])
    )
    return found.filter(Q(latest=None) | ~Q(latest__in=_DONE)).values_list("number", flat=True)
