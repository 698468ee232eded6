"""``manage.py certify [RULES...]``: computed and declared returns of every bet."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from compliance.certification.management.return_tables import terminal_tables
from compliance.certification.queries import weights_in_force
from compliance.certification.returns.all_returns import Returns, all_returns
from compliance.certification.returns.representation import return_to_json
from compliance.certification.returns.weights_document import (
    InvalidWeights,
    OperatorWeights,
    read_weights,
)
from compliance.exports.bundle.signing import MissingSigningKey, SigningKey, read_signing_key
from compliance.exports.encoders.certificate_files import (
    CONTENT_TYPES,
    certificate_file,
    file_name_of,
)
from compliance.exports.services.issue_certificate import certificate_bytes, certificate_to_json
from rounds.gaming_day import ROME
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet

_LEAST_DRAWS: Final = 2
"""Minimum sample size for a standard error."""


class Command(BaseCommand):
    """Computes the returns, and prints them or writes signed documents.

    `issue_certificates` stores certificates.
    """

    help = (
        "Computes the exact returns of the bets of each rule set from the rules that settle them,"
        " and compares them with the declared returns. Only --in-force needs a database."
    )
    requires_system_checks: list[str] = []  # only the rules are used

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "rules",
            nargs="*",
            type=_rule_set,
            metavar="RULES",
            help=f"which rule sets: {', '.join(RULE_SETS)}; all of them when none is named",
        )
        parser.add_argument(
            "--weights",
            action="append",
            default=[],
            type=_weights,
            metavar="FILE",
            help="a JSON file of multiplier weights to try; can be repeated, once per rule set",
        )
        parser.add_argument(
            "--in-force",
            action="store_true",
            help="use the weights in force today, except where --weights is given; needs the"
            " database",
        )
        parser.add_argument(
            "--shown-play",
            type=_draws,
            default=0,
            metavar="ROUNDS",
            help="estimate the return of play that uses the multiplier cards, from this number of"
            " draws",
        )
        parser.add_argument(
            "--json",
            action="store_true",
            help="print the returns as JSON, in percent with six decimals",
        )
        parser.add_argument(
            "--write",
            type=Path,
            metavar="FOLDER",
            help="write a dated certificate of each rule set to this folder: JSON, its signature by"
            " the key in SABOT_EXPORT_KEY, HTML and PDF",
        )

    @no_translations
    def handle(self, **options: Any) -> None:
        rule_sets = options["rules"] or list(RULE_SETS.values())
        tried = {weights.rules.name: weights for weights in options["weights"]}
        if options["in_force"]:
            tried = _in_force(rule_sets) | tried
        folder: Path | None = options["write"]
        if folder and tried:
            raise CommandError("found --write with weights; needed --write without weights")
        key = _key() if folder else None
        computed = all_returns(rule_sets, tried, exposed_rounds=options["shown_play"])
        certified = dict(_with_progress(rule_sets, computed))
        if folder and key:
            for rules, (returns, others) in certified.items():
                rows = [return_to_json(row, others) for row in returns]
                content = certificate_bytes(certificate_to_json(rules, rows), at=timezone.now())
                for path in _write_files(rules, content, key, folder):
                    self.stderr.write(str(path))
        if options["json"]:
            documents = [
                return_to_json(row, others)
                for returns, others in certified.values()
                for row in returns
            ]
            self.stdout.write(json.dumps(documents, indent=2))
            return
        console = Console(file=self.stdout)  # type: ignore[arg-type]  # it writes text
        for rules, (returns, others) in certified.items():
            for table in terminal_tables(rules, returns, others):
                console.print(table)


def _draws(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < _LEAST_DRAWS:
        raise ArgumentTypeError(f"found {text}; needed a whole number from {_LEAST_DRAWS} on")
    return int(text)


def _in_force(rule_sets: Sequence[RuleSet]) -> dict[str, OperatorWeights]:
    today = timezone.now().astimezone(ROME).date()
    in_force = {rules.name: weights_in_force(rules.name, on=today) for rules in rule_sets}
    return {name: read_weights(weights.content) for name, weights in in_force.items() if weights}


def _weights(path: str) -> OperatorWeights:
    try:
        return read_weights(Path(path).read_bytes())
    except OSError as error:
        raise ArgumentTypeError(f"{path}: {error.strerror}") from None
    except InvalidWeights as error:
        raise ArgumentTypeError(f"{path}: {error}") from None


def _key() -> SigningKey:
    try:
        return read_signing_key(Path(settings.EXPORT_KEY))
    except MissingSigningKey as error:
        raise CommandError(str(error)) from None


def _write_files(rules: RuleSet, content: bytes, key: SigningKey, folder: Path) -> Iterator[Path]:
    """Writes the files of a certificate; yields their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    signature = key.sign(content)
    for form in CONTENT_TYPES:
        path = folder / f"{file_name_of(rules.name)}.{form}"
        path.write_bytes(certificate_file(form, content=content, signature=signature))
        yield path


def _rule_set(name: str) -> RuleSet:
    if name not in RULE_SETS:
        raise ArgumentTypeError(f'no rule set "{name}"; there are {", ".join(RULE_SETS)}')
    return RULE_SETS[name]


def _with_progress(
    rule_sets: Sequence[RuleSet], computed: Iterator[Returns]
) -> Iterator[tuple[RuleSet, Returns]]:
    """The rule sets and their returns, with a progress bar on a terminal."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=len(rule_sets))
        for rules in rule_sets:
            bar.update(task, description=rules.name)
            yield rules, next(computed)
            bar.advance(task)
