"""``manage.py close_day [DAY]``: freezes the gaming days that are over and agree."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.trail.actor import Actor
from payouts.closing.obstacles import BooksDiffer, DayNotClosed, DayNotOver
from payouts.models import DayClosing, ReconcileDifference
from payouts.reconciling.wording import difference_words
from payouts.services.close_day import close_day, next_day
from rounds.rules.money import format_cents


class Command(BaseCommand):
    """Closes days in their order; says what stands in the way."""

    help = (
        "Closes a gaming day (Rome), or every day that is over, the oldest first: its control"
        " totals go on record and nothing is booked on it any more. Needs a reconciliation without"
        " a difference that was begun after the day's end. Ends with 1 when a day cannot be closed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("day", metavar="DAY", type=_day, nargs="?", help="a day, 2026-11-21")

    @no_translations
    def handle(self, *, day: date | None, **_options: Any) -> None:  # noqa: ANN401  Django's options
        if day is not None:
            self._close(day)
            return
        following = next_day()
        while following is not None:
            try:
                self._close(following)
            except _NotOver:
                break
            following = next_day()

    def _close(self, day: date) -> None:
        try:
            closing = close_day(day=day, at=timezone.now(), actor=Actor("close_day"))
        except DayNotOver as refusal:
            raise _NotOver(str(refusal)) from refusal
        except DayNotClosed as refusal:
            if isinstance(refusal, BooksDiffer):
                for one in refusal.differences:
                    self.stdout.write(difference_words(ReconcileDifference(**one._asdict())))
            raise CommandError(f"{day} is not closed: {refusal}") from refusal
        self.stdout.write(_told(closing))


class _NotOver(CommandError):
    """The day is not over."""


def _told(closing: DayClosing) -> str:
    figures = closing.totals["all"]
    return (
        f"{closing.day} is closed: {figures['rounds_settled']:,} rounds settled,"
        f" {figures['corrections']:,} corrections, gross win"
        f" {format_cents(figures['gross_win_cents'])}, digest {bytes(closing.digest).hex()}"
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"found {text}; needed a day like 2026-11-21") from None
