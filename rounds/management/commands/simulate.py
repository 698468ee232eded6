"""``manage.py simulate``: a feed of simulated rounds."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from compliance.trail.log.key_file import InvalidKeyFile, read_key
from rounds.signatures.batch_lines import SUFFIX, BatchSigner
from rounds.simulation.casino import MOST_BETS, Order, simulate
from rounds.simulation.games import GAMES, MOST_TABLES
from rounds.simulation.identifiers import DAY_MS

_DEFAULT_ROUNDS = 1_000
_ROUNDS_A_DAY = 50
_DEFAULT_SEED = "1"
_DAYS_AGO = timedelta(days=14)
"""Late enough to be accepted, early enough that no round ends in the future."""


class Command(BaseCommand):
    """Writes simulated rounds as feed documents, one per line."""

    help = (
        "Deals rounds from shuffled shoes and writes them as feed documents (NDJSON), in order of"
        " time. The same arguments with --start give the same bytes. No database is needed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "games",
            nargs="*",
            metavar="GAME",
            help=f"what to deal: {', '.join(GAMES)}; all of them when none is named",
        )
        parser.add_argument(
            "--rounds",
            type=_whole(1, 10**9),
            default=_DEFAULT_ROUNDS,
            metavar="N",
            help="the total number of rounds (default: %(default)s)",
        )
        parser.add_argument(
            "--tables",
            type=_whole(1, MOST_TABLES),
            default=1,
            metavar="N",
            help="the number of tables per game: bj-1, bj-2 … (default: %(default)s)",
        )
        parser.add_argument(
            "--seed",
            default=_DEFAULT_SEED,
            metavar="S",
            help="any text; different seeds give different rounds (default: %(default)s)",
        )
        parser.add_argument(
            "--start",
            metavar="TIME",
            help="when the tables open, ISO 8601 with its offset such as 2026-11-01T00:00:00Z"
            " (default: midnight in UTC two weeks ago, so that the feed can be ingested)",
        )
        parser.add_argument(
            "--days",
            type=_whole(1, 10_000),
            default=1,
            metavar="N",
            help="deal on so many days, at the same time of day, of which --start is the last"
            " (default: %(default)s)",
        )
        parser.add_argument(
            "--rounds-a-day",
            type=_whole(1, 10**9),
            default=_ROUNDS_A_DAY,
            metavar="N",
            help="of the --rounds, those of each of these days but the last (default: %(default)s)",
        )
        parser.add_argument(
            "--faults",
            type=_share,
            default=0.0,
            metavar="SHARE",
            help="the share of rounds, 0 to 1, with an injected fault of the feed contract,"
            " including invalid documents (default: %(default)s)",
        )
        parser.add_argument(
            "--bets-per-round",
            type=_whole(0, MOST_BETS),
            default=0,
            metavar="N",
            help="at least N bets per round, at games without a limit of players (default: the bets"
            " of a table's visitors)",
        )
        parser.add_argument(
            "--out",
            default="-",
            metavar="FILE",
            help="the output file; - is standard output (default: %(default)s)",
        )

        parser.add_argument(
            "--sign",
            type=Path,
            metavar="KEYFILE",
            help="sign the feed with this key (make_studio_key), into FILE.sig beside it",
        )

    def handle(self, **options: Any) -> None:
        orders = _orders(**options)
        with (
            self._writing_to(options["out"]) as write,
            _signing(options["sign"], options["out"]) as sign,
            _progress() as progress,
        ):
            task = progress.add_task("Dealing", total=options["rounds"])
            for line in chain.from_iterable(map(simulate, orders)):
                write(line.text + "\n")
                sign(line.text + "\n")
                if line.is_round:
                    progress.advance(task)

    @contextmanager
    def _writing_to(self, target: str) -> Iterator[Callable[[str], object]]:
        if target != "-":
            with Path(target).open("w", encoding="utf-8", newline="\n") as file:
                yield file.write
            return
        try:
            yield self.stdout.write
        except BrokenPipeError:  # the reader closed the pipe: `simulate | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _signing(key_file: Path | None, out: str) -> Iterator[Callable[[str], None]]:
    """Signs the lines that it is called with, if there is a key."""
    if key_file is None:
        yield lambda _line: None
        return
    if out == "-":
        raise CommandError("--sign: found standard output; needed --out FILE")
    try:
        signer = BatchSigner(read_key(key_file), now=lambda: datetime.now(UTC))
    except InvalidKeyFile as error:
        raise CommandError(f"--sign: {error}") from error
    with Path(f"{out}{SUFFIX}").open("w", encoding="ascii", newline="\n") as file:

        def sign(line: str) -> None:
            if signature := signer.add(line.encode()):
                file.write(signature + "\n")

        yield sign
        if signature := signer.finish():
            file.write(signature + "\n")


def _orders(
    *, days: int, rounds: int, rounds_a_day: int, start: str | None, seed: str, **options: Any
) -> list[Order]:
    """The order of each day, in order of time."""
    left = rounds - (days - 1) * rounds_a_day
    if left < 1:
        raise CommandError(
            f"--rounds: found {rounds}; needed more than {days - 1} days of {rounds_a_day}"
        )
    last = Order(
        games=_games(options["games"]),
        rounds=left,
        seed=seed,
        start=_start(start),
        tables=options["tables"],
        faults=options["faults"],
        bets_per_round=options["bets_per_round"],
    )
    earlier = [
        last._replace(
            rounds=rounds_a_day, seed=f"{seed}-{before}", start=last.start - before * DAY_MS
        )
        for before in range(days - 1, 0, -1)
    ]
    return [*earlier, last]


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rounds"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
    )


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return parse


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{text!r} is not a share from 0 to 1, such as 0.01")
    return share


def _games(names: Sequence[str]) -> list[str]:
    for name in names:
        if name not in GAMES:
            raise CommandError(f"GAME: {name!r} is not one of {', '.join(GAMES)}")
    return [name for name in GAMES if name in (names or GAMES)]


def _start(text: str | None) -> int:
    if text is None:
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return int((today - _DAYS_AGO).timestamp() * 1000)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise CommandError(
            f"--start: {text!r} is not a time with its offset, such as 2026-11-01T00:00:00Z"
        )
    return int(moment.timestamp() * 1000)
