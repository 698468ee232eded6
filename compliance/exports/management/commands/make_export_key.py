"""``manage.py make_export_key NAME``: a key that signs bundles, with its certificate."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.exports.bundle.signing import certificate_path, make_signing_key


class Command(BaseCommand):
    """The certificate is self-signed; it can be replaced by one of an authority."""

    help = (
        "Creates the key in the file SABOT_EXPORT_KEY, readable by its owner only, and next to it a"
        " certificate (.crt) for the regulator. An existing key is not overwritten."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name", metavar="NAME", help="the name of the operator, for the certificate"
        )

    def handle(self, *, name: str, **_options: Any) -> None:
        path = Path(settings.EXPORT_KEY)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            key = make_signing_key(path, name=name, at=timezone.now())
        except FileExistsError as error:
            raise CommandError(
                f"found {error.filename}; an existing key is not overwritten"
            ) from None
        self.stdout.write(f"key {key.key_id}: {path}, certificate {certificate_path(path)}")
