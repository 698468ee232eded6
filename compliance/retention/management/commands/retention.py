"""``manage.py retention``: legal holds, and which months may be archived."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from compliance.retention.legal_holds import holds_in_force
from compliance.retention.retention_periods import month_retentions
from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of


class Command(BaseCommand):
    """Archives nothing: only the owner of the tables can."""

    help = (
        "Lists the legal holds in force, and for each month whether it may be archived, or why not."
    )

    def handle(self, **_options: Any) -> None:
        for hold in holds_in_force():
            until = hold.last_day or "on"
            by = f"{hold.reference}, {hold.actor}"
            self.stdout.write(f"{hold}: {hold.first_day} to {until}, {hold.about} ({by})")
        for month, reason in month_retentions(gaming_day(milliseconds_of(timezone.now()))):
            self.stdout.write(f"{month}: {reason or 'may be archived'}")
