"""`manage.py rotate_log_key --old FILE --new FILE`: puts a new key of the audit log in force."""

import getpass
import socket
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.signatures.log_keys import LogKeyError, require_approved
from compliance.trail.actor import Actor
from compliance.trail.log.key_file import (
    InvalidKeyFile,
    locked_key,
    read_key,
    remember_head,
    witnessed_head,
)
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import key_id_of, raw_key


class Command(BaseCommand):
    """The old key endorses the new one; give the workers the new file and start them again.

    Recorded with the operating system's account and host. A new key whose heads a restored database
    has lost keeps the last of them.
    """

    help = (
        "Puts a new key of the audit log in force, endorsed by the old one, if two persons have"
        " signed for it on the page Log keys."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--old", type=Path, required=True, help="the key in force")
        parser.add_argument(
            "--new", type=Path, required=True, help="the new key, from make_log_key"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        actor = Actor(f"{getpass.getuser()} on {socket.gethostname()}")
        try:
            new = read_key(options["new"])
            require_approved(key_id_of(raw_key(new.public_key())))
            with locked_key(options["old"]) as old:
                heads = filter(None, map(witnessed_head, (options["old"], options["new"])))
                last = max(heads, key=lambda signed: signed.head.sequence, default=None)
                key = rotate_key(old, new, at=timezone.now(), actor=actor, witnessed=last)
        except (InvalidKeyFile, CannotAppend, LogKeyError) as error:
            raise CommandError(str(error)) from error
        if last is not None:
            remember_head(options["new"], last)
        self.stdout.write(f"key {key.key_id} signs from head {key.first_head} on")
