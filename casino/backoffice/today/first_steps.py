"""The tour at the first login: what a role starts with, on *Today* until it is closed."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.backoffice.cases.messages import APPROVE, PROPOSE
from casino.backoffice.disputes.messages import LOOK as LOOK_AT_DISPUTES
from casino.backoffice.gaming_days.days import CLOSE
from casino.backoffice.people.person_page import LOOK as LOOK_AT_PEOPLE

_FLAG: Final = "first_steps"


class FirstStep(NamedTuple):
    """A page to know: for whoever has the permission; empty for everyone."""

    title: str | Promise
    text: str | Promise
    url_name: str
    query: str = ""
    permission: str = ""

    @property
    def address(self) -> str:
        """Of the page."""
        return reverse(self.url_name) + self.query


_STEPS: Final = (
    FirstStep(
        _("Protect your account"),
        _("Add a second factor and, if you decide, a signing key."),
        "security",
    ),
    FirstStep(
        _("Held rounds"),
        _("Rounds that were not dealt by their rules. No money moves until two persons decide."),
        "admin:rounds_round_changelist",
        "?status=held",
        "rounds.view_round",
    ),
    FirstStep(
        _("Report a malfunction"),
        _("Choose rounds or a table and a period, compare the remedies, and propose one."),
        "open_malfunction",
        permission=PROPOSE,
    ),
    FirstStep(
        _("Approve or reject"),
        _("Proposals of others wait on Today. Your signature covers the effect that you saw."),
        "cases",
        permission=APPROVE,
    ),
    FirstStep(
        _("Disputes"),
        _("Complaints of customers by due date, each with the payout recomputed from the cards."),
        "disputes",
        permission=LOOK_AT_DISPUTES,
    ),
    FirstStep(
        _("Gaming days"),
        _("Close a day, then export it to the Agency, signed by two persons."),
        "days",
        permission=CLOSE,
    ),
    FirstStep(
        _("Audit log"),
        _("Who did what and when. Each record proves that it was not changed."),
        "admin:trail_auditrecord_changelist",
        permission="trail.view_auditrecord",
    ),
    FirstStep(
        _("Users and roles"),
        _("You request a change of access, another administrator approves it."),
        "people",
        permission=LOOK_AT_PEOPLE,
    ),
)


def begin_tour(request: HttpRequest) -> None:
    """Show the tour on *Today* in this session. Call it after the login."""
    request.session[_FLAG] = True


def first_steps(request: HttpRequest, person: User) -> Sequence[FirstStep]:
    """The steps of the person's tour; empty once it is closed."""
    if not request.session.get(_FLAG):
        return ()
    return [step for step in _STEPS if not step.permission or person.has_perm(step.permission)]


def change_tour(request: HttpRequest) -> HttpResponse:
    """Close the tour, or open it again with ``open``."""
    request.session[_FLAG] = "open" in request.POST
    return redirect("admin:index")
