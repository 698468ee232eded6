"""``manage.py watch_tables``: counts changed days and evaluates all watches."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.watch_tables import LookOutOfOrder, watch_tables
from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.management.arguments import day_argument


class Command(BaseCommand):
    """Runs the nightly evaluation."""

    help = (
        "Recounts the days of play (Rome) with changed rounds, then evaluates all watches and"
        " stores the result. A new alarm opens a case."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--day",
            type=day_argument,
            default=timezone.localdate(),
            help="the last day to evaluate, such as 2026-11-21 (default: today)",
        )

    def handle(self, *, day: date, **_options: Any) -> None:
        days = count_days(after_each=lambda day: self.stdout.write(f"counted {day}"))
        try:
            look = watch_tables(last_day=day, at=timezone.now(), actor=Actor("watch_tables"))
        except (LookOutOfOrder, StepError) as error:
            raise CommandError(str(error)) from None
        watches = look.found.count()
        in_alarm = look.found.filter(in_alarm=True).count()
        opened = look.alarms.count()
        self.stdout.write(
            f"{days} days counted; {watches} watches, {in_alarm} in alarm, {opened} cases opened"
        )
