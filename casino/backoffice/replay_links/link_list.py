"""The list of replay links, and their revocation."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    choice_filter,
    field_filter,
    person_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.replay_links.forms import RevocationForm
from casino.backoffice.replay_links.make_link import MAKE
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import actor_in
from compliance.exports.dossier.models import Dossier
from compliance.exports.models import ReplayLink, ReplayLinkOpening
from compliance.exports.replay_links.replay_links import (
    AlreadyRevoked,
    LinkStatus,
    link_status,
    revoke_replay_link,
)


class LinkRow(NamedTuple):
    """A link in the list."""

    link: ReplayLink
    status: LinkStatus
    openings: int
    last_opened_at: datetime | None

    @property
    def badge(self) -> str:
        """The name of its badge."""
        return f"replay-link-{self.status.value}"

    @property
    def is_valid(self) -> bool:
        """Whether it opens, and can be revoked."""
        return self.status is LinkStatus.VALID

    @property
    def round(self) -> str:
        """Its round's game code and table."""
        return f"{self.link.round.game_code} {self.link.round.table.code}"


def _with_status(rows: QuerySet[Any], status: str) -> QuerySet[Any]:
    now = timezone.now()
    if status == LinkStatus.REVOKED.value:
        return rows.filter(revocation__isnull=False)
    rows = rows.filter(revocation__isnull=True)
    is_over = status == LinkStatus.EXPIRED.value
    return rows.filter(**{"expires_at__lte" if is_over else "expires_at__gt": now})


LIST: Final = ListSpec(
    name="replay-links",
    filters=(
        choice_filter(
            "status",
            _("Status"),
            lambda: [
                (status.value, badge_label(f"replay-link-{status.value}"))
                for status in (LinkStatus.VALID, LinkStatus.EXPIRED, LinkStatus.REVOKED)
            ],
            _with_status,
        ),
        field_filter("audience", _("For"), Dossier.Audience.choices),
        text_filter(
            "recipient",
            _("Recipient"),
            lambda rows, value: rows.filter(recipient__icontains=value),
        ),
        person_filter(_("Made by")),
        *time_filters("at"),
    ),
    columns=(
        Column("made", _("Made"), lambda line: line.link.at, Kind.MOMENT, "pk"),
        Column("status", _("Status"), lambda line: badge_label(line.badge)),
        Column("round", _("Round"), lambda line: line.round),
        Column("recipient", _("Recipient"), lambda line: line.link.recipient, sort="recipient"),
        Column("customer", _("Customer"), lambda line: line.link.customer),
        Column("purpose", _("Purpose"), lambda line: line.link.purpose, is_optional=True),
        Column(
            "expires", _("Expires"), lambda line: line.link.expires_at, Kind.MOMENT, "expires_at"
        ),
        Column("openings", _("Opened"), lambda line: line.openings, Kind.COUNT),
        Column(
            "last",
            _("Last opened"),
            lambda line: line.last_opened_at,
            Kind.MOMENT,
            is_optional=True,
        ),
        Column("actions", _("Revocation"), lambda line: _revocation_of(line.link)),
    ),
)


def show_links(request: HttpRequest) -> HttpResponse:
    """All links, newest first."""
    rows = ReplayLink.objects.select_related("round__table", "customer", "revocation")
    context = {"title": gettext("Replay links"), "may_make": request.user.has_perm(MAKE)}
    template = "backoffice/replay_links/list.html"
    return show_list(request, LIST, rows, template, context, lines_of=_lines)


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a link; it stops at once."""
    link = get_object_or_404(ReplayLink.objects.select_related("round"), pk=pk)
    with show_errors(request, AlreadyRevoked, message=_error_message):
        reason = cleaned_data_of(RevocationForm(request.POST))["reason"]
        revoke_replay_link(link=link, reason=reason, at=timezone.now(), actor=actor_in(request))
        messages.success(request, gettext("Link revoked. It no longer opens."))
    return redirect("replay_links")


def _lines(links: list[Any]) -> list[LinkRow]:
    """Each link with its openings, by one query for all."""
    counted = ReplayLinkOpening.objects.filter(link__in=links).values("link")
    openings: dict[int, Any] = {
        row["link"]: row for row in counted.annotate(number=Count("pk"), last=Max("at"))
    }
    now = timezone.now()
    lines = []
    for link in links:
        opened = openings.get(link.pk, {"number": 0, "last": None})
        is_revoked = hasattr(link, "revocation")
        status = link_status(link, is_revoked=is_revoked, openings=opened["number"], at=now)
        lines.append(LinkRow(link, status, opened["number"], opened["last"]))
    return lines


def _revocation_of(link: ReplayLink) -> str:
    return link.revocation.reason if hasattr(link, "revocation") else ""


def _error_message(_error: AlreadyRevoked) -> str:
    return gettext("This link is already revoked.")
