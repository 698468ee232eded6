"""Gaming days, and why one cannot be closed, in words."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from uuid import UUID

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from payouts.closing.obstacles import (
    BooksDiffer,
    DayNotClosed,
    DayNotOver,
    DayOutOfOrder,
    NotReconciled,
    RoundsWait,
)
from payouts.reconciling.found import Difference
from rounds.wording import count


class Obstacle(NamedTuple):
    """What stands in the way of closing a day."""

    title: str
    text: str
    rounds: Sequence[tuple[UUID, str]] = ()
    """Rounds that wait, by id and name."""
    differences: Sequence[Difference] = ()
    run_id: int | None = None
    """The reconciliation that found them."""
    first_open: date | None = None
    """The day that has to be closed before."""
    wants_reconciliation: bool = False
    """Whether a reconciliation takes it away."""


def day_words(day: date) -> str:
    """A day with its weekday and year."""
    return formats.date_format(day, "l j F Y")


def obstacle_words(refusal: DayNotClosed) -> Obstacle:
    """A refusal in words."""
    match refusal:
        case RoundsWait():
            told = _rounds_wait(refusal)
        case BooksDiffer():
            told = _books_differ(refusal)
        case NotReconciled():
            told = _not_reconciled(refusal)
        case DayOutOfOrder():
            told = _out_of_order(refusal)
        case DayNotOver():
            words = _("It can be closed when it is over in Rome.")
            told = Obstacle(_("The day is under way"), words)
        case _:
            told = Obstacle(_("The day cannot be closed"), str(refusal))
    return told


def _out_of_order(refusal: DayOutOfOrder) -> Obstacle:
    if refusal.needed is None:
        return Obstacle(_("There is nothing to close"), _("No round has arrived yet."))
    text = _("Days are closed one after the other; the first that is open is %(day)s.")
    words = text % {"day": day_words(refusal.needed)}
    return Obstacle(_("Another day comes first"), words, first_open=refusal.needed)


def _rounds_wait(refusal: RoundsWait) -> Obstacle:
    text = ngettext(
        "%(number)s round of the day waits to be settled, or for its table.",
        "%(number)s rounds of the day wait to be settled, or for their tables.",
        refusal.count,
    )
    return Obstacle(_("Rounds wait"), text % {"number": count(refusal.count)}, refusal.rounds)


def _not_reconciled(refusal: NotReconciled) -> Obstacle:
    if not refusal.since:
        words = _("A reconciliation must have begun after the day's end and found no difference.")
        return Obstacle(_("Not reconciled yet"), words, wants_reconciliation=True)
    text = _("%(number)s rounds of the day changed since then; reconcile once more.")
    words = text % {"number": count(refusal.since)}
    return Obstacle(_("Not reconciled since"), words, wants_reconciliation=True)


def _books_differ(refusal: BooksDiffer) -> Obstacle:
    text = ngettext(
        "%(number)s difference was found; the day stays open until there is none.",
        "%(number)s differences were found; the day stays open until there is none.",
        refusal.count,
    )
    return Obstacle(
        _("The books do not agree"),
        text % {"number": count(refusal.count)},
        differences=refusal.differences,
        run_id=None if refusal.run is None else refusal.run.pk,
    )
