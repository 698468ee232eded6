"""Gaming days: state, totals, pending items and obstacles to closing."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.gaming_days.day_columns import DAYS, range_of
from casino.backoffice.gaming_days.day_list import days_listed
from casino.backoffice.gaming_days.messages import Obstacle, held_label, obstacle_message
from casino.backoffice.lists.files import MOST_ROWS, LinesOf
from casino.backoffice.lists.list_page import Listing
from casino.backoffice.reconciliation.reconciliations import difference_row
from casino.backoffice.site.keyset_paging import KeysetPage
from casino.backoffice.site.views import show
from compliance.trail.queries import records_of
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import review_day
from payouts.gaming_days.close_empty_days import empty_days, next_day_to_close
from payouts.gaming_days.cross_references import MOST, booked_from_other_days, booked_on_other_days
from payouts.gaming_days.exceptions import DayNotCloseable
from payouts.gaming_days.figures import figures_of, sum_tiles, summed
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import PendingItems, pending_items
from payouts.ledger.models import Transfer
from payouts.reconciliation.models import ReconcileDifference
from rounds.formatting import long_day
from rounds.gaming_day import end_of_day, gaming_day
from rounds.row_mapping import milliseconds_of
from rounds.rules.catalogue import game_of

LOOK: Final = "payouts.view_dayclosing"
"""Permission to view gaming days."""
CLOSE: Final = "payouts.close_day"
"""Permission to close a gaming day."""


class DayRow(NamedTuple):
    """A gaming day in the list."""

    day: date
    state: str
    """The name of its badge."""
    figures: Mapping[str, int]
    closing: DayClosing | None


def show_days(request: HttpRequest) -> HttpResponse:
    """The gaming days, latest first."""
    now, listing = timezone.now(), Listing(DAYS, request)

    def lines(days: Sequence[date]) -> list[DayRow]:
        return lines_of(days, at=now)

    if file := file_of_days(listing, lines, at=now):
        return file
    page = page_of_days(listing, at=now)
    may_close = request.user.has_perm(CLOSE) and page.rows
    context = {
        "title": _("Days"),
        "page": page,
        "empty_days": empty_days(at=now) if may_close else None,
        **listing.context(lines(page.rows)),
    }
    return show(request, "backoffice/gaming_days/list.html", context)


def file_of_days(listing: Listing, lines_of_days: LinesOf, *, at: datetime) -> HttpResponse | None:
    """The file of the days that the filters select, if one is asked for."""
    if not listing.file_format:
        return None
    today = gaming_day(milliseconds_of(at))
    page = days_listed(today, among=range_of(listing.form), size=MOST_ROWS + 1)
    return listing.file(page.rows, lines_of_days, may_be_long=False)


def page_of_days(listing: Listing, *, at: datetime) -> KeysetPage:
    """A page of these days; an empty one if a filter is invalid."""
    if listing.form.errors:
        return KeysetPage((), None, None)
    before, after = (listing.request.GET.get(name, "") for name in ("before", "after"))
    today = gaming_day(milliseconds_of(at))
    return days_listed(today, before=before, after=after, among=range_of(listing.form))


def lines_of(days: Sequence[date], *, at: datetime) -> list[DayRow]:
    """The days with their state and totals to date."""
    closings = {closing.day: closing for closing in DayClosing.objects.filter(day__in=days)}
    figures = figures_of(days, closings)
    return [
        DayRow(day, _state(closings.get(day), day, at), summed(figures[day]), closings.get(day))
        for day in days
    ]


def show_day(request: HttpRequest, day: str) -> HttpResponse:
    """A gaming day: totals by table, obstacles, and bookings of other days."""
    parsed_day, now = day_of(day), timezone.now()
    closing = DayClosing.objects.select_related("run").filter(day=parsed_day).first()
    lines = figures_of([parsed_day], {parsed_day: closing} if closing else {})[parsed_day]
    obstacle = None if closing else obstacle_of(parsed_day, now)
    open_items = None if closing else pending_items(parsed_day)
    context = {
        "title": long_day(parsed_day),
        "parent": {"title": _("Days"), "address": reverse("days")},
        "day": parsed_day,
        "closing": closing,
        "state": _state(closing, parsed_day, now),
        "record": records_of(f"day:{parsed_day}").first() if closing else None,
        "lines": [(game_of(line["rules"]), line) for line in lines],
        "all": summed(lines),
        "tiles": sum_tiles(summed(lines)),
        "held_label": held_label(_held(closing, open_items)),
        "ledger": _ledger(closing) if closing else [],
        "not_final": open_items,
        "obstacle": obstacle,
        "differences": _differences(obstacle),
        "here": booked_from_other_days(parsed_day),
        "elsewhere": booked_on_other_days(parsed_day),
        "most": MOST,
        "may_close": request.user.has_perm(CLOSE) and obstacle is None and closing is None,
    }
    return show(request, "backoffice/gaming_days/day.html", context)


def _held(closing: DayClosing | None, open_items: PendingItems | None) -> Amount:
    """The stakes held at closing, or now."""
    if open_items is not None:
        return open_items.all_held
    if closing is not None and closing.held_rounds is not None:
        return Amount(closing.held_rounds, closing.held_cents)
    return Amount()


def overdue_day() -> date | None:
    """The first day that has ended and is not closed."""
    day = next_day_to_close()
    return day if day is not None and end_of_day(day) <= timezone.now() else None


def day_of(text: str) -> date:
    """The day in a URL."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Http404 from error


def _state(closing: DayClosing | None, day: date, now: datetime) -> str:
    if closing is not None:
        return "day-closed"
    return "day-over" if end_of_day(day) <= now else "day-open"


def obstacle_of(day: date, now: datetime) -> Obstacle | None:
    """What prevents the day from being closed."""
    try:
        review_day(day, at=now)
    except DayNotCloseable as error:
        return obstacle_message(error)
    return None


def _differences(obstacle: Obstacle | None) -> list[Any]:
    differences = obstacle.differences if obstacle else ()
    return [difference_row(ReconcileDifference(**row._asdict())) for row in differences]


def _ledger(closing: DayClosing) -> list[tuple[str, dict[str, int], dict[str, int]]]:
    """Movements by purpose, in cash and in golden chips."""
    ledger = closing.totals["ledger"]
    nothing = {"transfers": 0, "cents": 0}
    return [
        (str(label), ledger["cash"].get(purpose, nothing), ledger["chips"].get(purpose, nothing))
        for purpose, label in Transfer.Purpose.choices
        if purpose in ledger["cash"] or purpose in ledger["chips"]
    ]
