"""``manage.py approve_first_signing_key``: approves one of the first two signing keys."""

import argparse
import getpass
import socket
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.signatures.manage_keys import SigningKeyError, root_key
from compliance.signatures.models import SigningKey
from compliance.trail.actor import Actor

_DIGITS: Final = 16


class Command(BaseCommand):
    """Recorded with the operating system's account and host."""

    help = (
        "Approves one of the first two signing keys; their holders approve all others on the page"
        " Signing keys. Add the printed id to SIGNING_KEY_ROOTS on every host."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("key", help="the first digits of the key's id, as its holder sees them")

    def handle(self, *, key: str, **_options: Any) -> None:
        rows = SigningKey.objects.filter(id__startswith=key.lower())
        if len(key) < _DIGITS or rows.count() != 1:
            raise CommandError(f"found {rows.count()} keys that begin with {key}; needed one")
        actor = Actor(f"{getpass.getuser()} on {socket.gethostname()}")
        try:
            root_key(key_id=rows[0].id, at=timezone.now(), actor=actor)
        except SigningKeyError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"approved for {rows[0].person_name}: {rows[0].id}")
