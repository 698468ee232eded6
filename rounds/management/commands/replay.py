"""``manage.py replay FILE``: settles every round of a feed in memory."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from rounds.explanations.customer_letters import customer_letter
from rounds.explanations.representation import explained_result
from rounds.replay import Judged, Rejected, judge_lines, result_of

_NO_FEED = 2


class Command(BaseCommand):
    """Writes one JSON line per round. Uses no database."""

    help = (
        "Settles a round feed in memory, by the rules that the workers use, and writes one JSON"
        " line per round. Exits with 0 if all lines are valid, with 1 if any was rejected."
    )
    requires_system_checks: list[str] = []  # only the feed and the rules are used

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE, or - for standard input, and the output format."""
        parser.add_argument("file", metavar="FILE", help="a round feed, - for standard input")
        form = parser.add_mutually_exclusive_group()
        form.add_argument(
            "--explain",
            dest="form_of",
            action="store_const",
            const=_explained,
            default=_plain,
            help="include the steps that led to each payout",
        )
        form.add_argument(
            "--letter",
            dest="form_of",
            action="store_const",
            const=customer_letter,
            help="write letters to the customers instead of JSON",
        )
        parser.add_argument(
            "--language",
            choices=[code for code, _name in settings.LANGUAGES],
            default="en",
            help="the language of explanations and letters: it or en",
        )

    def handle(self, *_args: object, **options: Any) -> None:
        with _open_feed(options["file"]) as lines, translation.override(options["language"]):
            rejected = self._replay(lines, options["form_of"])
        if rejected:
            raise CommandError(f"{rejected} lines were rejected", returncode=1)

    def _replay(self, lines: Iterable[bytes], form_of: Callable[[Judged | Rejected], str]) -> int:
        """Writes every result; returns how many lines were rejected."""
        rejected = 0
        for judged in judge_lines(lines):
            self.stdout.write(form_of(judged))
            rejected += isinstance(judged, Rejected)
        return rejected


def _plain(judged: Judged | Rejected) -> str:
    return json.dumps(result_of(judged))


def _explained(judged: Judged | Rejected) -> str:
    return json.dumps(explained_result(judged), ensure_ascii=False)


def _open_feed(name: str) -> AbstractContextManager[IO[bytes]]:
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=_NO_FEED) from None
