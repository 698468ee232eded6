"""``manage.py watch_tables``: counts the rounds that have changed and looks at all watches."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.watch_tables import LookedFurther, watch_tables
from compliance.trail.actor import Actor
from payouts.services.case_steps import CaseRefusal


class Command(BaseCommand):
    """Beside the look that a worker takes every night."""

    help = (
        "Counts the days of play (Rome) whose rounds have changed, then looks at all watches:"
        " what they have seen is kept, and a new alarm opens a case."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--day",
            type=_day,
            default=timezone.localdate(),
            help="the last day to look at, 2026-11-21; today without it",
        )

    def handle(self, *, day: date, **_options: Any) -> None:  # noqa: ANN401  Django's options
        days = count_days(after_each=lambda one: self.stdout.write(f"counted {one}"))
        try:
            look = watch_tables(last_day=day, at=timezone.now(), actor=Actor("watch_tables"))
        except (LookedFurther, CaseRefusal) as refusal:
            raise CommandError(str(refusal)) from None
        found = look.found.count()
        in_alarm = look.found.filter(in_alarm=True).count()
        opened = look.alarms.count()
        self.stdout.write(
            f"{days} days counted; {found} watches, {in_alarm} in alarm, {opened} cases opened"
        )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"found {text}; needed a day like 2026-11-21") from None
