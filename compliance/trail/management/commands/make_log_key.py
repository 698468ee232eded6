"""`manage.py make_log_key FILE`: the key that signs heads of the audit log."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from compliance.trail.log.key_file import make_key
from compliance.trail.log.signed_heads import key_id_of, raw_key


class Command(BaseCommand):
    """Writes a private key and prints its id."""

    help = "Writes a new Ed25519 key for the audit log (mode 0600) and prints its id."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write, for LOG_KEY_FILE")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            key = make_key(options["file"])
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be written: {error}") from error
        self.stdout.write(f"key id {key_id_of(raw_key(key.public_key()))}")
        self.stdout.write(
            "Store this id outside the database: verify_trail needs that of the first key, and two"
            " persons sign for a further one on the page Log keys."
        )
