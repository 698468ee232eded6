"""The list of comments: those that mention the user, the user's own, or all."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.access.current_user import request_user
from casino.backoffice.comments.panel import CommentLine, comment_lines
from casino.backoffice.comments.records import RECORD_KINDS
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, person_filter, time_filters
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.site.badges import badge_label
from payouts.comments.models import KINDS, Comment
from rounds.models import Customer, Round

_LABELS: Final = {
    "customer": _("Customers"),
    "round": _("Rounds"),
    "case": _("Cases"),
    "dispute": _("Disputes"),
}


class CommentRow:
    """A comment in the list, with the record that it is about."""

    def __init__(self, line: CommentLine) -> None:
        self.comment, self.parts, self.withdrawal, _may_withdraw = line
        self._record: Any = getattr(self.comment, self.comment.kind)

    @property
    def address(self) -> str:
        """The comments on the page of the record."""
        page = RECORD_KINDS[self.comment.kind].page
        return f"{reverse(page, args=[self._record.pk])}#comments"

    @property
    def record(self) -> str:
        """The record as people call it."""
        if isinstance(self._record, Customer):
            return self._record.pseudonym
        return self._record.game_code if isinstance(self._record, Round) else str(self._record)

    @property
    def badge(self) -> str:
        """The badge of a comment that was withdrawn; empty for the others."""
        return "comment-withdrawn" if self.withdrawal else ""


LIST: Final = ListSpec(
    name="comments",
    filters=(
        choice_filter(
            "which",
            _("Filter"),
            (("mine", _("Written by me")), ("all", _("All"))),
            empty=_("Mentions of me"),
        ),
        choice_filter(
            "on",
            _("About"),
            [(kind, _LABELS[kind]) for kind in KINDS],
            lambda rows, kind: rows.filter(**{f"{kind}__isnull": False}),
            empty=_("Everything"),
        ),
        person_filter(_("Author")),
        *time_filters("at"),
    ),
    columns=(
        Column("written", _("Written"), lambda line: line.comment.at, Kind.MOMENT, "pk"),
        Column("record", _("About"), lambda line: line.record),
        Column("author", _("Author"), lambda line: line.comment.actor),
        Column("comment", _("Comment"), lambda line: line.comment.text),
        Column(
            "status",
            _("Status"),
            lambda line: badge_label(line.badge) if line.badge else "",
            is_optional=True,
        ),
    ),
)


def show_comments(request: HttpRequest) -> HttpResponse:
    """Comments on what the user may see, newest first."""
    reader = request_user(request)
    rows = Comment.objects.filter(withdraws=None)
    for kind, record in RECORD_KINDS.items():
        if not reader.has_perm(record.permission):
            rows = rows.filter(**{f"{kind}__isnull": True})
    which = request.GET.get("which", "")
    if which == "mine":
        rows = rows.filter(actor_user_id=reader.pk)
    elif which != "all":
        rows = rows.filter(mentions__contains=[reader.pk])

    def lines(comments: list[Any]) -> list[CommentRow]:
        return [CommentRow(line) for line in comment_lines(comments, reader)]

    rows = rows.select_related("withdrawal", *KINDS)
    context = {"title": gettext("Comments")}
    return show_list(request, LIST, rows, "backoffice/comments/list.html", context, lines_of=lines)
