"""Settlement stops: what failed checks have found, and the two persons who resume."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import show_errors
from casino.backoffice.site.form_data import text_of
from casino.backoffice.site.views import show
from compliance.trail.actor import is_same_person
from compliance.trail.people import actor_of
from compliance.trail.steps import PersonRequired, StepError
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.integrity.resume_settlement import StopsChanged, resume_settlement
from payouts.integrity.stop_settlement import open_stops
from payouts.recheck.count_verified import recheck_figures
from payouts.settlement.four_eyes import FourEyesRequired, ReasonRequired
from rounds.wake_workers import wake_settlement_workers

LOOK: Final = "payouts.view_integritystop"
RESUME: Final = "payouts.resume_settlement"
"""Permission to sign that settlement goes on."""
_MOST_EARLIER: Final = 50
_TO_DO: Final[dict[str, Promise]] = {
    IntegrityStop.Kind.RELEASE: gettext_lazy(
        "Take the host out of service and install the release again (manage.py verify_release"
        " names what differs). Then start its workers again."
    ),
    IntegrityStop.Kind.SCHEMA: gettext_lazy(
        "Repair the guards of the database as its owner, until manage.py verify_schema finds"
        " nothing. Ask who could change them."
    ),
    IntegrityStop.Kind.TRAIL: gettext_lazy(
        "Compare with the heads and copies that were kept outside (manage.py verify_trail), and"
        " find out who could change records. Do not repair rows by hand."
    ),
    IntegrityStop.Kind.RECHECK: gettext_lazy(
        "Start a full reconciliation and manage.py verify_trail: they show whether more was"
        " changed. Find out who could change rows. What was paid wrongly is corrected by a case."
    ),
    IntegrityStop.Kind.BOOKS: gettext_lazy(
        "Look at each difference under Reconciliation. What was paid wrongly is corrected by a"
        " case, never by a change of rows."
    ),
}
_ERRORS: Final[dict[type[StepError], Promise]] = {
    ReasonRequired: gettext_lazy("Enter a reason. It is stored with the decision."),
    PersonRequired: gettext_lazy("Only a user account can resume settlement."),
    FourEyesRequired: gettext_lazy("You proposed it. Another person must confirm it."),
    StopsChanged: gettext_lazy(
        "Somebody else has decided in the meantime. Review it again. Nothing was recorded."
    ),
}


@dataclass(frozen=True)
class StopView:
    """An open stop as the page shows it."""

    stop: IntegrityStop
    steps: list[IntegrityStopStep]
    may_sign: bool
    """Whether the user may sign for it: not its proposer."""

    @property
    def seen(self) -> str:
        """What the form says: the stop and the number of its steps."""
        return f"{self.stop.pk}:{len(self.steps)}"

    @property
    def unlisted(self) -> int:
        """The number of findings without a text."""
        return self.stop.count - len(self.stop.findings)

    @property
    def stops(self) -> bool:
        """Whether it stops settlement, or INTEGRITY_STOPS leaves its check out."""
        return self.stop.kind in settings.INTEGRITY_STOPS

    @property
    def to_do(self) -> Promise:
        """What to do before somebody resumes."""
        return _TO_DO[self.stop.kind]


def show_stops(request: HttpRequest) -> HttpResponse:
    """Open stops and earlier ones; POST signs that settlement goes on after those seen."""
    if request.method == "POST":
        return _resume(request)
    stops = [_view(stop, request) for stop in open_stops()]
    still_open = [view.stop.pk for view in stops]
    earlier = IntegrityStop.objects.exclude(pk__in=still_open).prefetch_related("steps")
    context = {
        "title": _("Settlement stops"),
        "stops": stops,
        "is_stopped": any(view.stops for view in stops),
        "may_sign": any(view.may_sign for view in stops),
        "recheck": recheck_figures(at=timezone.now()),
        "recheck_hours": settings.RECHECK_HOURS,
        "rows": earlier.order_by("-at")[:_MOST_EARLIER],
        **confirmation_context(request),
    }
    return show(request, "backoffice/integrity/stops.html", context)


def _view(stop: IntegrityStop, request: HttpRequest) -> StopView:
    person = actor_of(request_user(request))
    steps = sorted(stop.steps.all(), key=lambda step: step.sequence)
    others = all(not is_same_person(step.actor, step.actor_user_id, person) for step in steps)
    may_sign = (
        others and len(steps) < len(IntegrityStopStep.Action) and request.user.has_perm(RESUME)
    )
    return StopView(stop, steps, may_sign)


def _resume(request: HttpRequest) -> HttpResponse:
    if not request.user.has_perm(RESUME):
        raise PermissionDenied
    with show_errors(request, StepError, message=_error_message):
        require_confirmed(request, text_of(request, "code"))
        steps = resume_settlement(
            seen=_seen(request),
            note=text_of(request, "note"),
            at=decided_at(request),
            actor=signing_actor(request),
        )
        if open_stops():
            messages.success(request, _("Recorded. A second person must resume."))
        elif steps:
            wake_settlement_workers()
            messages.success(request, _("Settlement resumed. The workers continue within seconds."))
    return redirect("integrity_stops")


def _seen(request: HttpRequest) -> dict[UUID, int]:
    """The stops of the form with their numbers of steps; none if it is not of the page."""
    try:
        pairs = [value.split(":") for value in request.POST.getlist("stop")]
        return {UUID(stop): int(steps) for stop, steps in pairs}
    except ValueError:
        return {}


def _error_message(error: StepError) -> str:
    return str(_ERRORS[type(error)])
