"""The list of disputes, those due first."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from casino.access.current_user import request_user
from casino.backoffice.disputes.terms import terms_context
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    field_filter,
    table_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.site.badges import badge_label
from payouts.disputes.models import Dispute
from payouts.disputes.queries import (
    disputes_in,
    disputes_taken_by,
    open_disputes,
    overdue_disputes,
    with_due_date,
)
from payouts.disputes.status import DisputeStatus, State, dispute_statuses

ALL: Final = "all"

LIST: Final = ListSpec(
    name="disputes",
    live="dispute",
    filters=(
        choice_filter(
            "which",
            _("Filter"),
            (("overdue", _("Overdue")), *State.choices, (ALL, _("All"))),
            empty=pgettext_lazy("disputes", "Open"),
        ),
        choice_filter("mine", _("Assignee"), (("on", _("Me")),), empty=_("Anyone")),
        field_filter("reason", _("Reason for the dispute"), Dispute.Reason.choices),
        text_filter(
            "customer",
            _("Customer"),
            lambda rows, value: rows.filter(customer__pseudonym=value),
            placeholder=_("Full pseudonym"),
        ),
        table_filter(field="round__table"),
        *time_filters("opened_at"),
    ),
    columns=(
        Column("dispute", _("Dispute"), lambda line: line.dispute, sort="pk"),
        Column("status", _("Status"), lambda line: badge_label(f"dispute-{line.status.state}")),
        Column("due", _("Due"), lambda line: line.status.latest.due_at, Kind.MOMENT, "due_at"),
        Column(
            "reason",
            _("Reason"),
            lambda line: line.dispute.get_reason_display(),
            sort="reason",
        ),
        Column(
            "customer",
            _("Customer"),
            lambda line: line.dispute.customer,
            sort="customer__pseudonym",
        ),
        Column("round", _("Round"), lambda line: line.round),
        Column(
            "claimed",
            _("Claimed"),
            lambda line: line.dispute.claimed_cents,
            Kind.MONEY,
            "claimed_cents",
        ),
        Column("owner", _("Assigned to"), lambda line: line.status.owner, is_optional=True),
        Column(
            "opened",
            _("Opened"),
            lambda line: line.dispute.opened_at,
            Kind.MOMENT,
            "pk",
            is_optional=True,
        ),
    ),
    sort="due",
)


class DisputeRow(NamedTuple):
    """A dispute in the list."""

    dispute: Dispute
    status: DisputeStatus
    due_colour: str

    @property
    def round(self) -> str:
        """Its round's game code and table."""
        return f"{self.dispute.round.game_code} {self.dispute.round.table.code}"


def show_disputes(request: HttpRequest) -> HttpResponse:
    """Disputes that are open, overdue, assigned to the user, in a state, or all."""
    now = timezone.now()
    rows = _rows(request.GET.get("which", ""), now)
    if request.GET.get("mine"):
        rows = rows.filter(pk__in=disputes_taken_by(request_user(request).pk).values("pk"))
    context = {"title": gettext("Disputes"), **terms_context(request)}

    def lines(disputes: list[Any]) -> list[DisputeRow]:
        return _lines(disputes, now)

    rows = with_due_date(rows).select_related("customer", "round__table")
    template = "backoffice/disputes/list.html"
    return show_list(request, LIST, rows, template, context, lines_of=lines)


def _rows(which: str, now: datetime) -> QuerySet[Dispute]:
    if which == ALL:
        return Dispute.objects.all()
    if which == "overdue":
        return overdue_disputes(now)
    return disputes_in(State(which)) if which in State.values else open_disputes()


def _lines(disputes: list[Dispute], now: datetime) -> list[DisputeRow]:
    """Each dispute with its status and the colour of its due date."""
    statuses = dispute_statuses(disputes)
    return [
        DisputeRow(dispute, statuses[dispute.pk], due_colour(statuses[dispute.pk], now))
        for dispute in disputes
    ]


def due_colour(status: DisputeStatus, now: datetime) -> str:
    """Red if overdue, amber on the last working day, else empty."""
    if status.is_overdue(now):
        return "red"
    remind_at = status.latest.remind_at
    return "amber" if remind_at is not None and remind_at <= now else ""
