"""`manage.py build_verification_page`: the page that verification files are made of."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from casino.backoffice.verification_files.page import RUNTIME, build_page


class Command(BaseCommand):
    """Writes the page to ``VERIFICATION_PAGE`` and prints its digest. Needs no database."""

    help = "Builds the page that verification files are made of, in the file VERIFICATION_PAGE."
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("runtime", type=Path, help="the folder with Pyodide's files")

    @no_translations
    def handle(self, *_args: Any, runtime: Path, **_options: Any) -> None:
        missing = [name for name in RUNTIME if not (runtime / name).is_file()]
        if missing:
            raise CommandError(f"found no {', '.join(missing)} in {runtime}; needed Pyodide")
        content = build_page(runtime).encode()
        target = Path(settings.VERIFICATION_PAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f"{target.name}.unfinished")
        unfinished.write_bytes(content)
        unfinished.replace(target)
        digest = sha256(content).hexdigest()
        self.stdout.write(f"{target}: {len(content):,} bytes, SHA-256 {digest}")
