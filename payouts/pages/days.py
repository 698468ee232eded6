"""Gaming days: which are closed, what each came to, what stands in the way, a button to close."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.db import DEFAULT_DB_ALIAS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.queries import records_of
from payouts.closing.control import summed
from payouts.closing.obstacles import DayNotClosed
from payouts.closing.pointing import MOST, booked_from_other_days, booked_on_other_days
from payouts.daily_totals import DailyTotal, daily_totals
from payouts.models import DayClosing, ReconcileDifference, Transfer
from payouts.pages.asked import asker
from payouts.pages.day_words import Obstacle, day_words, obstacle_words
from payouts.pages.days_listed import days_listed
from payouts.pages.own_pages import show
from payouts.pages.reconciliations import told_of
from payouts.services.close_day import close_day, look_at_day, next_day
from rounds.gaming_day import end_of_day, gaming_day
from rounds.rules.catalogue import RULE_SETS
from rounds.storage import milliseconds_of

LOOK: Final = "payouts.view_dayclosing"
"""The permission to see gaming days."""
CLOSE: Final = "payouts.close_day"
"""The permission to close one."""


class Line(NamedTuple):
    """A day as a line of the list."""

    day: date
    state: str
    """The name of its pill."""
    figures: Mapping[str, int]
    closing: DayClosing | None


def show_days(request: HttpRequest) -> HttpResponse:
    """The days, latest first."""
    now = timezone.now()
    today = gaming_day(milliseconds_of(now))
    page = days_listed(
        today, before=request.GET.get("before", ""), after=request.GET.get("after", "")
    )
    context = {"title": _("Days"), "page": page, "rows": lines_of(page.rows, at=now)}
    return show(request, "pages/days/list.html", context)


def lines_of(days: Sequence[date], *, at: datetime) -> list[Line]:
    """Each of these days with its state and what it came to so far."""
    closings = {one.day: one for one in DayClosing.objects.filter(day__in=days)}
    figures = _figures_of([day for day in days if day not in closings])
    return [
        Line(
            day,
            _state(closings.get(day), day, at),
            closings[day].totals["all"] if day in closings else summed(figures[day]),
            closings.get(day),
        )
        for day in days
    ]


def show_day(request: HttpRequest, day: str) -> HttpResponse:
    """One day: its totals by table, what stands in the way, what points to other days."""
    asked, now = _day(day), timezone.now()
    closing = DayClosing.objects.select_related("run").filter(day=asked).first()
    lines = closing.totals["games"] if closing else _figures_of([asked])[asked]
    obstacle = None if closing else _obstacle(asked, now)
    context = {
        "title": day_words(asked),
        "parent": {"title": _("Days"), "address": reverse("days")},
        "day": asked,
        "closing": closing,
        "state": _state(closing, asked, now),
        "record": records_of(f"day:{asked}").first() if closing else None,
        "lines": [(_game_of(line["rules"]), line) for line in lines],
        "all": summed(lines),
        "ledger": _ledger(closing) if closing else [],
        "obstacle": obstacle,
        "differences": _told(obstacle),
        "here": booked_from_other_days(asked),
        "elsewhere": booked_on_other_days(asked),
        "most": MOST,
        "may_close": request.user.has_perm(CLOSE) and obstacle is None and closing is None,
    }
    return show(request, "pages/days/day.html", context)


def close_now(request: HttpRequest, day: str) -> HttpResponse:
    """Closes the day, or says why not."""
    asked = _day(day)
    try:
        close_day(day=asked, at=timezone.now(), actor=asker(request))
    except DayNotClosed as refusal:
        said, failed = obstacle_words(refusal), _("The day was not closed.")
        messages.error(request, f"{failed} {said.title}: {said.text}")
    else:
        messages.success(request, _("The day is closed. What comes late is booked on an open day."))
    return redirect("day", asked.isoformat())


def overdue_day() -> date | None:
    """The first day that is over and not closed."""
    day = next_day()
    return day if day is not None and end_of_day(day) <= timezone.now() else None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Http404 from error


def _state(closing: DayClosing | None, day: date, now: datetime) -> str:
    if closing is not None:
        return "day-closed"
    return "day-over" if end_of_day(day) <= now else "day-open"


def _obstacle(day: date, now: datetime) -> Obstacle | None:
    """What stands in the way of closing the day."""
    try:
        look_at_day(day, at=now)
    except DayNotClosed as refusal:
        return obstacle_words(refusal)
    return None


def _told(obstacle: Obstacle | None) -> list[Any]:
    found = obstacle.differences if obstacle else ()
    return [told_of(ReconcileDifference(**one._asdict())) for one in found]


def _figures_of(days: list[date]) -> dict[date, list[dict[str, Any]]]:
    """What open days came to so far, by table and rule set."""
    found: dict[date, list[dict[str, Any]]] = defaultdict(list)
    if days:
        totals = daily_totals(first=min(days), last=max(days), database=DEFAULT_DB_ALIAS)
        for total in totals:
            found[total.day].append(_figures(total))
    return found


def _figures(total: DailyTotal) -> dict[str, Any]:
    staked = total.staked_cents - total.staked_chips_cents
    paid = total.payout_cents - total.payout_chips_cents
    return {
        "rules": total.rules,
        "table": total.table,
        "rounds_settled": total.rounds,
        "void_rounds": total.void_rounds,
        "staked_cents": staked,
        "staked_chips_cents": total.staked_chips_cents,
        "payout_cents": paid,
        "payout_chips_cents": total.payout_chips_cents,
        "gross_win_cents": staked - paid,
    }


def _game_of(rules: str) -> str:
    known = RULE_SETS.get(rules)
    return known.game if known else rules


def _ledger(closing: DayClosing) -> list[tuple[str, dict[str, int], dict[str, int]]]:
    """By purpose what moved in cash and in golden chips."""
    ledger = closing.totals["ledger"]
    nothing = {"transfers": 0, "cents": 0}
    return [
        (str(label), ledger["cash"].get(purpose, nothing), ledger["chips"].get(purpose, nothing))
        for purpose, label in Transfer.Purpose.choices
        if purpose in ledger["cash"] or purpose in ledger["chips"]
    ]
