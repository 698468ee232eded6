"""``manage.py demo``: fills an empty casino so that there is something to look at."""

import argparse
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from casino.devserver.demo import (
    PEOPLE,
    demo_person,
    make_api_token,
    make_people,
    make_signing_keys,
    make_tables,
    put_weights_in_force,
    sign_rule_sets,
)
from casino.devserver.history import HISTORY, fill_history
from casino.devserver.studio_key import register_studio_key
from casino.devserver.witnesses import make_witnesses
from compliance.trail.actor import Actor
from compliance.trail.sandbox import log_origin, sandbox_start
from payouts.ledger.models import Account, Transfer
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.gaming_day import ROME
from rounds.models import QueuedRound, Round
from rounds.services.put_rules_in_force import put_rules_in_force
from rounds.signatures.batch_lines import SUFFIX
from rounds.wake_workers import notify_workers

_ROUNDS: Final = 6_400  # more than 2,000 of them blackjack and baccarat
_PAST_DAYS: Final = 64
"""Of so many rounds one is dealt on each past day; the others begin some hours ago."""
_FAULTS: Final = 0.012
_SEED: Final = "4"
"""With it the feed has every kind of document that needs a person, conflicting ones as well."""
_SPAN: Final = timedelta(hours=8)
_POLL_SECONDS: Final = 0.5
_HISTORY_DUE: Final = "history-due"
"""The file that says that the past days of a new demo were not decided yet."""


class Command(BaseCommand):
    """Idempotent: adds what is missing and changes nothing."""

    help = (
        "Creates a demo casino with a table for every game, a user for every role and a simulated"
        " feed. For demonstration only."
    )
    requires_system_checks: list[str] = []  # they load all pages

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--rounds", type=int, default=_ROUNDS, help="rounds to deal (default: %(default)s)"
        )
        parser.add_argument(
            "--people",
            action="store_true",
            help="only make the users, as the owner of the tables, who may give roles",
        )
        parser.add_argument(
            "--witnesses",
            action="store_true",
            help="only make the keys of two witnesses of the audit log, and their policy",
        )
        parser.add_argument(
            "--deal",
            action="store_true",
            help="only make tables, users and the feed, and leave its ingestion to `ingest`",
        )
        parser.add_argument(
            "--wait",
            action="store_true",
            help="only wait until the workers have settled all rounds",
        )
        parser.add_argument(
            "--history",
            action="store_true",
            help="only close, export and sign the past days, and open disputes; needs the workers",
        )
        parser.add_argument(
            "--users",
            action="store_true",
            help="only show the users, their passwords and an API token",
        )
        parser.add_argument(
            "--url",
            default="http://127.0.0.1:8000/",
            help="the address of the site (default: %(default)s)",
        )

    def handle(
        self,
        *,
        rounds: int,
        people: bool,
        witnesses: bool,
        deal: bool,
        wait: bool,
        history: bool,
        users: bool,
        url: str,
        **_options: Any,
    ) -> None:
        if not settings.DEMO or sandbox_start() is None:
            raise CommandError(
                f"demo: found DEMO={'true' if settings.DEMO else 'false'} and the database of"
                f" {'a real casino' if sandbox_start() is None else 'a sandbox'}; needed DEMO=true"
                " and a database that was migrated with it while it was empty"
            )
        folder = settings.VAR_DIR / "demo"
        if people:
            make_people(passwords_file=folder / "passwords.json")
        elif witnesses:
            log_key = settings.VAR_DIR / "keys" / "log.pem"
            make_witnesses(folder / "witnesses", log_key=log_key, origin=log_origin())
        elif wait:
            _wait_for_settlement()
            notify_workers(
                "monitoring.nightly"
            )  # else the monitor would show nothing until tomorrow
        elif history:
            if (folder / _HISTORY_DUE).exists():
                fill_history(now=timezone.now, say=self.stdout.write)
                (folder / _HISTORY_DUE).unlink()
        elif users:
            _show(make_people(passwords_file=folder / "passwords.json"))
            token = make_api_token(
                file=folder / "api-token", at=timezone.now(), actor=Actor("demo")
            )
            Console(highlight=False, soft_wrap=True).print(
                f"for the API (docs/api.md): export SABOT={url.rstrip('/')} TOKEN={token}"
            )
        else:
            make_people(passwords_file=folder / "passwords.json")
            make_signing_keys(at=timezone.now())
            make_tables(at=timezone.now(), actor=demo_person("administrator"))
            put_rules_in_force(at=timezone.now(), actor=Actor("demo"))
            sign_rule_sets(at=timezone.now())
            feed = folder / "demo-feed.ndjson"
            if not feed.exists():
                span = _SPAN * max(
                    rounds / _ROUNDS, 1
                )  # more rounds start earlier, so that none is in the future
                start = (timezone.now() - span).replace(minute=0, second=0, microsecond=0)
                first_day = timezone.now().astimezone(ROME).date() - HISTORY
                days = max((start.astimezone(ROME).date() - first_day).days, 0) + 1
                put_weights_in_force(day=first_day, at=timezone.now())
                key_file = folder / "studio-key.pem"
                register_studio_key(file=key_file, at=timezone.now())
                _deal(feed, key_file, rounds=rounds, start=start, days=days)
            if not deal:
                call_command("ingest", str(feed))


def _deal(feed: Path, key_file: Path, *, rounds: int, start: datetime, days: int) -> None:
    """Writes the feed under another name and renames it, so that an existing feed is complete."""
    part = feed.with_suffix(".part")
    if rounds_a_day := rounds // _PAST_DAYS:
        feed.with_name(_HISTORY_DUE).touch()
    call_command(
        "simulate",
        rounds=rounds,
        rounds_a_day=max(rounds_a_day, 1),
        days=days if rounds_a_day else 1,
        faults=_FAULTS,
        seed=_SEED,
        start=start.isoformat(),
        out=str(part),
        sign=key_file,
    )
    part.with_name(f"{part.name}{SUFFIX}").rename(feed.with_name(f"{feed.name}{SUFFIX}"))
    part.rename(feed)


def _wait_for_settlement() -> None:
    """Shows the progress of settlement until the queue is empty, then the totals."""
    columns = TextColumn("settling"), BarColumn(), MofNCompleteColumn(), TextColumn("rounds")
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("settling", total=Round.objects.count())
        while queued := QueuedRound.objects.count():
            progress.update(bar, completed=Round.objects.count() - queued)
            time.sleep(_POLL_SECONDS)
        progress.update(bar, completed=Round.objects.count())
    counts = [
        f"{rounds_with_status(Round.objects.all(), status).count():,} {status.value}"
        for status in (RoundStatus.SETTLED, RoundStatus.VOID, RoundStatus.HELD)
    ]
    balance = Account.objects.aggregate(cents=Sum("balance_cents", default=0))["cents"]
    Console(highlight=False, soft_wrap=True).print(
        f"{', '.join(counts)}; {Transfer.objects.count():,} transfers in the ledger,"
        f" sum of all accounts {balance} cents"
    )


def _show(passwords: dict[str, str]) -> None:
    table = Table(
        title="Demo users (for demonstration only)",
        title_justify="left",
        caption="second step of the login: .venv/bin/python manage.py demo_code USER",
        caption_justify="left",
    )
    for heading in ("user", "password", "name"):
        table.add_column(heading)
    for role, password in passwords.items():
        table.add_row(role, password, " ".join(PEOPLE[role]))
    Console().print(table)
