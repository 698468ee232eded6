"""``manage.py demo_code NAME``: the current code of a demo user's phone."""

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.devserver.demo import NotADemoUser, code_of


class Command(BaseCommand):
    """For the demo, whose users have no real phones."""

    help = "Shows the current authenticator code of a demo user. Works in the demo casino only."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the user name of the demo user")

    def handle(self, *, name: str, **_options: Any) -> None:
        passwords = settings.VAR_DIR / "demo" / "passwords.json"
        try:
            code = code_of(name, passwords_file=passwords, at=timezone.now())
        except NotADemoUser as error:
            raise CommandError(str(error)) from error
        self.stdout.write(code)
