"""``manage.py close_day [DAY] --by USER``: closes the gaming days that are over and agree."""

from argparse import ArgumentParser
from datetime import date
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.close_empty_days import close_empty_days, next_day_to_close
from payouts.gaming_days.exceptions import (
    BooksDiffer,
    DayNotCloseable,
    DayNotOver,
    HeldNotAcknowledged,
)
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import held_rounds
from payouts.management.arguments import active_user, day_argument
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.models import ReconcileDifference
from rounds.rules.money import format_cents

_CLOSE: Final = "payouts.close_day"
_MOST_LISTED: Final = 100


class Command(BaseCommand):
    """A command without a password: the person who runs it vouches for the person named."""

    help = (
        "Closes a gaming day (Rome), or all days that are over, oldest first. The control totals"
        " are recorded, and nothing more is booked on the day. Requires a reconciliation without"
        " differences, started after the end of the day. A day with held rounds is closed only with"
        " --held and the figures that the command prints. Exits with 1 if a day cannot be closed."
    )
    _by: Actor
    _held: Amount | None

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "day", metavar="DAY", type=day_argument, nargs="?", help="a day, 2026-11-21"
        )
        parser.add_argument("--by", required=True, metavar="USER", help="the user who closes")
        parser.add_argument(
            "--held",
            nargs=2,
            type=int,
            metavar=("ROUNDS", "CENTS"),
            help="acknowledges the held rounds and their stakes; needs DAY",
        )

    @no_translations
    def handle(
        self,
        *,
        day: date | None,
        by: str,
        held: list[int] | None = None,
        **_options: Any,
    ) -> None:
        if held is not None and day is None:
            raise CommandError("--held: found no DAY; needed the day with these held rounds")
        self._by = _closer(by)
        self._held = Amount(*held) if held else None
        if day is not None:
            self._close(day)
            return
        while True:
            for closing in close_empty_days(at=timezone.now(), actor=self._by):
                self.stdout.write(_message(closing))
            following = next_day_to_close()
            if following is None:
                return
            try:
                self._close(following)
            except _NotOver:
                return

    def _close(self, day: date) -> None:
        try:
            closing = close_day(day=day, at=timezone.now(), actor=self._by, acknowledged=self._held)
        except DayNotOver as error:
            raise _NotOver(str(error)) from error
        except DayNotCloseable as error:
            if isinstance(error, BooksDiffer):
                for difference in error.differences:
                    self.stdout.write(
                        difference_message(ReconcileDifference(**difference._asdict()))
                    )
            if isinstance(error, HeldNotAcknowledged):
                self._list_held(day, error.held)
            raise CommandError(f"{day} is not closed: {error}") from error
        self.stdout.write(_message(closing))

    def _list_held(self, day: date, held: Amount) -> None:
        """Lists the held rounds and the option that acknowledges them."""
        rounds = held_rounds(day)
        for reference, booked_on, cents in rounds[:_MOST_LISTED]:
            self.stdout.write(f"held: {reference}, booked on {booked_on}, {format_cents(cents)}")
        if len(rounds) > _MOST_LISTED:
            self.stdout.write(f"... and {len(rounds) - _MOST_LISTED:,} more")
        self.stdout.write(f"To close the day with them: --held {held.number} {held.cents}")


class _NotOver(CommandError):
    """The day is not over."""


def _closer(username: str) -> Actor:
    """The person, who must be allowed to close days."""
    person = active_user("--by", username)
    if not person.has_perm(_CLOSE):
        raise CommandError(f"--by: found {username}, who cannot close days; needed {_CLOSE}")
    return actor_of(person)


def _message(closing: DayClosing) -> str:
    figures = closing.totals["all"]
    return (
        f"{closing.day} is closed by {closing.actor}: {figures['rounds_settled']:,} rounds settled,"
        f" {figures['corrections']:,} corrections, gross win"
        f" {format_cents(figures['gross_win_cents'])}, {figures['held_rounds']:,} held rounds with"
        f" {format_cents(figures['held_cents'])}, digest {bytes(closing.digest).hex()}"
    )
