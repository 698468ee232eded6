"""Messages and labels of gaming days."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from payouts.gaming_days.amount import Amount
from payouts.gaming_days.exceptions import (
    BooksDiffer,
    DayNotCloseable,
    DayNotOver,
    DayOutOfOrder,
    DayStillBooked,
    EmptyDaysChanged,
    HeldNotAcknowledged,
    NotReconciled,
    RoundsAwaitSettlement,
    UnsignedClosing,
)
from payouts.reconciliation.checks.differences import Difference
from rounds.formatting import count, euro, long_day


class Obstacle(NamedTuple):
    """What prevents a day from being closed."""

    title: str
    text: str
    rounds: Sequence[tuple[UUID, str]] = ()
    """Rounds awaiting settlement, by ID and name."""
    differences: Sequence[Difference] = ()
    run_id: int | None = None
    """The reconciliation that found the differences."""
    first_open: date | None = None
    """The day to close first."""
    wants_reconciliation: bool = False
    """Whether a new reconciliation can resolve it."""


def obstacle_message(error: DayNotCloseable) -> Obstacle:
    """The message for an error of the services."""
    match error:
        case RoundsAwaitSettlement():
            obstacle = _rounds_wait(error)
        case BooksDiffer():
            obstacle = _books_differ(error)
        case NotReconciled():
            obstacle = _not_reconciled(error)
        case DayOutOfOrder():
            obstacle = _out_of_order(error)
        case HeldNotAcknowledged():
            obstacle = _not_acknowledged(error)
        case EmptyDaysChanged():
            message = _("Review which days without bookings can be closed now.")
            obstacle = Obstacle(_("The days have changed"), message)
        case UnsignedClosing():
            text = _("Nobody signed the closing of %(day)s. Find out who wrote its rows.")
            message = text % {"day": long_day(error.day)}
            obstacle = Obstacle(_("A closing is not signed"), message)
        case DayNotOver():
            message = _("The day can be closed after it ends (Rome time).")
            obstacle = Obstacle(_("The gaming day has not ended"), message)
        case DayStillBooked():
            message = _("Rounds or corrections of this day are still arriving. Try again shortly.")
            obstacle = Obstacle(_("The gaming day is still being booked"), message)
        case _:
            obstacle = Obstacle(_("The gaming day cannot be closed"), str(error))
    return obstacle


def held_label(held: Amount) -> str:
    """The number of held rounds, and their stakes."""
    text = ngettext(
        "%(number)s held round with stakes of %(amount)s",
        "%(number)s held rounds with stakes of %(amount)s",
        held.number,
    )
    return text % {"number": count(held.number), "amount": euro(held.cents)}


def _not_acknowledged(error: HeldNotAcknowledged) -> Obstacle:
    now = held_label(error.held)
    if error.acknowledged is None:
        message = _("Acknowledge the held rounds: %(now)s.") % {"now": now}
    else:
        text = _("You reviewed %(shown)s. The current value is %(now)s. Review it again.")
        message = text % {"shown": held_label(error.acknowledged), "now": now}
    return Obstacle(_("The held rounds have changed"), message)


def _out_of_order(error: DayOutOfOrder) -> Obstacle:
    if error.needed is None:
        return Obstacle(_("There is nothing to close"), _("No round has arrived yet."))
    text = _("Days are closed in order. The first open day is %(day)s.")
    message = text % {"day": long_day(error.needed)}
    return Obstacle(_("An earlier day is still open"), message, first_open=error.needed)


def _rounds_wait(error: RoundsAwaitSettlement) -> Obstacle:
    text = ngettext(
        "%(number)s round of the day is awaiting settlement or belongs to a suspended table.",
        "%(number)s rounds of the day are awaiting settlement or belong to suspended tables.",
        error.count,
    )
    return Obstacle(
        _("Rounds awaiting settlement"), text % {"number": count(error.count)}, error.rounds
    )


def _not_reconciled(error: NotReconciled) -> Obstacle:
    if not error.since:
        message = _(
            "A reconciliation started after the end of the day must complete without differences."
        )
        return Obstacle(_("Not reconciled yet"), message, wants_reconciliation=True)
    text = _("%(number)s rounds of the day changed since the last reconciliation. Reconcile again.")
    message = text % {"number": count(error.since)}
    return Obstacle(_("Reconciliation out of date"), message, wants_reconciliation=True)


def _books_differ(error: BooksDiffer) -> Obstacle:
    text = ngettext(
        "%(number)s difference found. The day cannot be closed until it is resolved.",
        "%(number)s differences found. The day cannot be closed until they are resolved.",
        error.count,
    )
    return Obstacle(
        _("The books do not balance"),
        text % {"number": count(error.count)},
        differences=error.differences,
        run_id=None if error.run is None else error.run.pk,
    )
