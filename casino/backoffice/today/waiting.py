"""How much waits for a person: the numbers beside the bell and the entries of the menu.

One query answers all, and only for the entries that the person has. A number is named by the kind
of topic (``casino.live``) that changes it.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import IntegerField, QuerySet, Subquery
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.cases.messages import APPROVE
from compliance.notifications.inbox import INBOX, unread_of
from payouts.cases.awaiting_approval import cases_awaiting
from payouts.disputes.queries import near_due
from payouts.gaming_days.close_empty_days import MOST_EMPTY, next_day_to_close
from payouts.settlement.queries import held_rounds
from payouts.stuck_work.kinds import stuck_of_all_kinds
from rounds.gaming_day import gaming_day
from rounds.models import ClosedDay
from rounds.row_mapping import milliseconds_of

MOST_SHOWN: Final = 99
"""The menu shows more as ``99+``; the bell is exact."""
_DAY: Final = "day"
_SOMEBODY: Final = -2_000_000_001
"""Stands for the person's account in a query that is made once for all."""


class Count(NamedTuple):
    """A number, as it is written and as a screen reader says it."""

    number: int
    text: str
    label: str


class RowCount(Subquery):
    """The number of rows of a query."""

    template = "(SELECT count(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def _few(rows: QuerySet[Any]) -> Subquery:
    return RowCount(rows.order_by()[: MOST_SHOWN + 1])


_COUNTED: Final[Mapping[str, tuple[str | None, Callable[[datetime], Subquery]]]] = {
    INBOX: (None, lambda _at: RowCount(unread_of(User(pk=_SOMEBODY)).order_by().values("pk"))),
    "case": (APPROVE, lambda _at: _few(cases_awaiting(_SOMEBODY).values("pk"))),
    "dispute": ("payouts.view_dispute", lambda at: _few(near_due(at).values("dispute_id"))),
    "exception": (
        "payouts.view_stuckworkstep",
        lambda at: _few(stuck_of_all_kinds(at, most=MOST_SHOWN + 1)),
    ),
    "round": ("rounds.view_round", lambda _at: _few(held_rounds().distinct())),
    _DAY: (
        "payouts.view_dayclosing",
        lambda _at: Subquery(ClosedDay.objects.order_by("-day").values("day")[:1]),
    ),
}
"""What is counted, or of days the last that is closed, with the permission for it."""
_LABELS: Final = {
    INBOX: ngettext_lazy("%(text)s unread notification", "%(text)s unread notifications", "number"),
    "case": ngettext_lazy(
        "%(text)s case awaits your decision", "%(text)s cases await your decision", "number"
    ),
    "dispute": ngettext_lazy(
        "%(text)s due or overdue dispute", "%(text)s due or overdue disputes", "number"
    ),
    "exception": ngettext_lazy("%(text)s open exception", "%(text)s open exceptions", "number"),
    "round": ngettext_lazy("%(text)s held round", "%(text)s held rounds", "number"),
    _DAY: ngettext_lazy("%(text)s day to close", "%(text)s days to close", "number"),
}


def counts_for(person: User) -> dict[str, Count]:
    """The numbers that the person may know, by kind of topic."""
    kinds = tuple(
        kind
        for kind, (permission, _counted) in _COUNTED.items()
        if permission is None or person.has_perm(permission)
    )
    sql, parameters = _question(kinds, timezone.now().replace(second=0, microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(sql, [person.pk if value == _SOMEBODY else value for value in parameters])
        numbers = dict(zip(kinds, cursor.fetchone() or (), strict=True))
    if _DAY in numbers:
        numbers[_DAY] = _days_to_close(numbers[_DAY])
    return {kind: _count(kind, number) for kind, number in numbers.items()}


@lru_cache(maxsize=32)
def _question(kinds: tuple[str, ...], at: datetime) -> tuple[str, tuple[Any, ...]]:
    """The SQL for ``_SOMEBODY`` in this minute: making it takes longer than asking it."""
    requested: QuerySet[Any, Any] = User.objects.filter(pk=_SOMEBODY)
    requested = requested.values(**{kind: _COUNTED[kind][1](at) for kind in kinds})
    return requested.query.sql_with_params()


def show_counts(request: HttpRequest) -> JsonResponse:
    """The numbers as JSON, which a page asks for when it was told of a change."""
    counts = counts_for(request_user(request))
    return JsonResponse({kind: count._asdict() for kind, count in counts.items()})


def _days_to_close(latest: date | None) -> int:
    """The days that have ended and are not closed."""
    now = timezone.now()
    today = gaming_day(milliseconds_of(now))
    if latest is None or (today - latest).days > MOST_EMPTY:
        following = next_day_to_close()
    else:
        following = latest + timedelta(days=1)
    return 0 if following is None else max((today - following).days, 0)


def _count(kind: str, number: int) -> Count:
    is_capped = kind != INBOX and number > MOST_SHOWN
    text = f"{MOST_SHOWN}+" if is_capped else number_format(number, force_grouping=True)
    label = _LABELS[kind] % {"number": number, "text": text}
    return Count(number, text, label if number or kind != INBOX else _("Notifications"))
