"""`manage.py send_audit_events`: sends the audit log to the SIEM until it is stopped."""

import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from compliance.siem.forward import forward_log
from compliance.siem.models import SiemCursor
from compliance.siem.receivers import configured_receivers
from compliance.siem.send_events import begin_receiver


class Command(BaseCommand):
    """Ends with SIGTERM, after the batch at hand. Give it the role ``sabot_siem``."""

    help = "Sends the audit log to the SIEM, as OCSF events by syslog over TLS or HTTPS."
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from-end",
            action="store_true",
            help="a receiver that has got nothing yet begins with what is recorded from now on",
        )
        parser.add_argument(
            "--forget",
            metavar="RECEIVER",
            help="syslog or http, where nothing is sent any more: forgets what it has got, and"
            " ends; run it as the owner of the tables",
        )

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        if options["forget"]:
            self._forget(options["forget"])
            return
        try:
            receivers = configured_receivers()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        stopped = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        for receiver in receivers:
            begin_receiver(receiver, at_end=options["from_end"])
            self.stdout.write(f"sending to {receiver}")
        self.stdout.flush()
        forward_log(receivers, now=timezone.now, stopped=stopped)

    def _forget(self, receiver: str) -> None:
        deleted, _by_model = SiemCursor.objects.filter(receiver=receiver).delete()
        if not deleted:
            known = ", ".join(SiemCursor.objects.values_list("receiver", flat=True)) or "none"
            raise CommandError(f"--forget: found {receiver}; needed one of: {known}")
        self.stdout.write(f"{receiver}: forgotten")
