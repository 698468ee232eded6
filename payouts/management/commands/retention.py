"""``manage.py retention``: legal holds, and which months may be archived."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from payouts.services.hold_days import holds_in_force, months_standing
from rounds.gaming_day import gaming_day
from rounds.storage import milliseconds_of


class Command(BaseCommand):
    """Archives nothing: the owner of the tables does."""

    help = "Lists the legal holds in force, and which months may be archived, or why not."

    def handle(self, **_options: Any) -> None:  # noqa: ANN401  Django's options
        for hold in holds_in_force():
            until = hold.last_day or "on"
            by = f"{hold.reference}, {hold.actor}"
            self.stdout.write(f"{hold}: {hold.first_day} to {until}, {hold.about} ({by})")
        for one in months_standing(gaming_day(milliseconds_of(timezone.now()))):
            self.stdout.write(f"{one.month}: {one.because or 'may be archived'}")
