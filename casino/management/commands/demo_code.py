"""``manage.py demo_code NAME``: what the phone of somebody in the demo casino shows now."""

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.demo import NoDemo, code_of


class Command(BaseCommand):
    """For demonstration: nobody has these people's phones."""

    help = "Shows the code that a demo user's phone shows now. Works in the demo casino only."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the demo user")

    def handle(self, *, name: str, **_options: Any) -> None:  # noqa: ANN401  Django's options
        passwords = settings.VAR_DIR / "demo" / "passwords.json"
        try:
            code = code_of(name, passwords_file=passwords, at=timezone.now())
        except NoDemo as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(code)
