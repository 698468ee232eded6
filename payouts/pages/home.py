"""Today: what waits for a person, then the business of the last days and the last rounds."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.state import unsigned_since
from payouts.disputes.queries import due_dates_at_hand
from payouts.models import WorkKind
from payouts.pages.business import last_days
from payouts.pages.cases.listing import cases_waiting_for
from payouts.pages.cases.words import APPROVE
from payouts.pages.days import overdue_day
from payouts.pages.half_hours import lines_of
from payouts.pages.jobs import running_jobs
from payouts.pages.reconciliations import last_differing_run
from payouts.queries import RoundStatus, Standing, rounds_standing, standings_of
from payouts.stuck.kinds import Asked
from payouts.stuck.queue import oldest_stuck
from payouts.stuck.steps import still_open
from payouts.templatetags.sabot import moment
from rounds.gaming_day import gaming_day
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound, Round
from rounds.storage import cards_of, milliseconds_of

_MOST_COUNTED: Final = 99
_LAST_ROUNDS: Final = 10
_OLDEST_HELD: Final = 8
_LAST_CARDS: Final = 3
_LATE: Final = timedelta(minutes=15)
"""A customer who looks at a stopped table does not wait longer."""
_MOST_APPROVALS: Final = 20
_TOTALS: Final = ("payouts.view_dailyrounds", "payouts.view_dailybets")


class HeldLine(NamedTuple):
    """A held round as a line of the table."""

    row: Round
    anomalies: tuple[str, ...]
    last_cards: list[str]
    """The last three that were dealt, as the feed writes them."""
    since: datetime
    """When it was held."""
    is_late: bool


class Count(NamedTuple):
    """How many of a kind wait, never counted beyond 99."""

    title: str
    note: str
    state: str
    address: str
    number: int
    is_capped: bool


def add_today(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The home page's context; empty for who may not see rounds."""
    context["title"] = _("Today")
    if not request.user.has_perm("rounds.view_round"):
        return context
    held = rounds_standing(Round.objects.select_related("table"), RoundStatus.HELD)
    last = list(Round.objects.select_related("table").order_by("-id")[:_LAST_ROUNDS])
    oldest = list(held.order_by("id")[:_OLDEST_HELD])
    standings = standings_of([row.id for row in (*last, *oldest)])
    context["differing"] = last_differing_run()
    context["overdue"] = overdue_day()
    context["overdue_disputes"], context["due_disputes"] = _disputes_at_hand(timezone.now())
    context["log_waits_since"] = unsigned_since(timezone.now())
    context["counts"] = _counts(held)
    context["held"] = _held_lines(oldest, standings, at=timezone.now())
    context["jobs"] = running_jobs(request)
    if request.user.has_perm(APPROVE):
        context["approvals"] = cases_waiting_for(request.user)[:_MOST_APPROVALS]
    context["last"] = [(row, standings[row.id]) for row in last]
    if request.user.has_perms(_TOTALS):
        now = timezone.now()
        today = gaming_day(milliseconds_of(now))
        business, lines = last_days(today), lines_of(today, now=now)
        context["business"] = business
        context["tiles"] = [(game, came_to, lines.get(game)) for game, came_to in business.games]
    return context


def _held_lines(
    rows: Iterable[Round], standings: Mapping[UUID, Standing], *, at: datetime
) -> list[HeldLine]:
    """A round is judged within seconds of its arrival, so it waits since then."""
    return [
        HeldLine(
            row,
            standings[row.id].anomalies,
            [card for _place, card in cards_of(row.cards)[-_LAST_CARDS:]],
            row.received_at,
            at - row.received_at >= _LATE,
        )
        for row in rows
    ]


def _counts(held: QuerySet[Round]) -> list[Count]:
    rounds, stuck = reverse("admin:rounds_round_changelist"), reverse("stuck_work")
    return [
        _count(
            held,
            _("Held rounds"),
            _("no money moves until somebody decides"),
            state="held",
            address=f"{rounds}?status=held",
        ),
        _stuck_count(address=stuck),
        _count(
            still_open(WorkKind.DOCUMENT, QuarantinedDocument.objects.all()),
            _("Quarantined documents"),
            _("could not be taken; kept byte for byte"),
            state="quarantined",
            address=f"{stuck}?kind={WorkKind.DOCUMENT.value}",
        ),
        _count(
            still_open(WorkKind.CONFLICT, ConflictingDocument.objects.all()),
            _("Conflicting documents"),
            _("another content for a stored round"),
            state="conflict",
            address=f"{stuck}?kind={WorkKind.CONFLICT.value}",
        ),
        _count(
            QueuedRound.objects.all(),
            _("Waiting rounds"),
            _("a worker takes them"),
            state="waiting",
            address=reverse("admin:rounds_queuedround_changelist"),
        ),
    ]


def _disputes_at_hand(now: datetime) -> tuple[int, int]:
    """How many disputes are overdue, and how many are due; never counted beyond 99 together."""
    due_dates = due_dates_at_hand(now, most=_MOST_COUNTED)
    overdue = sum(due_at <= now for due_at in due_dates)
    return overdue, len(due_dates) - overdue


def _stuck_count(*, address: str) -> Count:
    """All stuck work, and how long the oldest of it stands still."""
    found = oldest_stuck(Asked(timezone.now()), most=_MOST_COUNTED + 1)
    note = _("nothing stands still")
    if found:
        note = _("the oldest since %(when)s") % {"when": moment(found[0])}
    return _capped(len(found), _("Stuck work"), note, state="stuck", address=address)


def _count(rows: QuerySet[Any], title: str, note: str, *, state: str, address: str) -> Count:
    number = len(rows.order_by().values_list("pk", flat=True)[: _MOST_COUNTED + 1])
    return _capped(number, title, note, state=state, address=address)


def _capped(number: int, title: str, note: str, *, state: str, address: str) -> Count:
    most = min(number, _MOST_COUNTED)
    return Count(title, note, state, address, most, is_capped=number > _MOST_COUNTED)
