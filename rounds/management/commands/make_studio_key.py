"""``manage.py make_studio_key FILE``: a key with which a studio signs what it delivers."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from compliance.trail.log.key_file import make_key
from rounds.signatures.public_keys import jwk_of, key_id_of, raw_public_key


class Command(BaseCommand):
    """Writes a private key; prints what is registered of it."""

    help = (
        "Writes a new Ed25519 key (PKCS #8, PEM, mode 0600) and prints its ID and its public part,"
        " which two persons register in the back office."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            key = make_key(options["file"])
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be written: {error}") from error
        public = raw_public_key(key.public_key())
        self.stdout.write(f"key ID {key_id_of(public)}")
        self.stdout.write(f"public key {json.dumps(jwk_of(public), separators=(',', ':'))}")
