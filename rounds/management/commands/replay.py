"""``manage.py replay FILE``: what every round of a feed pays, from the feed alone."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from rounds.replay import REJECTED, replay_lines

_NO_FEED = 2


class Command(BaseCommand):
    """Settles a feed in memory and writes one JSON line a round. Touches no database."""

    help = (
        "Settle a round feed in memory, with the rules that the workers use, and write one JSON"
        " line a round. Exit status 0 when every line was understood, 1 when any was rejected."
    )
    requires_system_checks: list[str] = []  # nothing but the feed and the rules is used

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE, or - for standard input."""
        parser.add_argument("file", metavar="FILE", help="a round feed, - for standard input")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        with _open_feed(options["file"]) as lines:
            rejected = self._replay(lines)
        if rejected:
            raise CommandError(f"{rejected} lines were rejected", returncode=1)

    def _replay(self, lines: Iterable[bytes]) -> int:
        """Writes every result; returns how many lines were rejected."""
        rejected = 0
        for result in replay_lines(lines):
            self.stdout.write(json.dumps(result))
            rejected += result["status"] == REJECTED
        return rejected


def _open_feed(name: str) -> AbstractContextManager[IO[bytes]]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=_NO_FEED) from None
