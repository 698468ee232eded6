"""Django's ``migrate``, for a database that is in use meanwhile."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS
from django.db.migrations import Migration

from compliance.storage.online_migrations.attempts import Busy, Limits, try_between_traffic

_WAIT_MS: Final = 150
_RETRY_SECONDS: Final = 600
_LEAST_SAID_SECONDS: Final = 0.001


class Command(migrate.Command):
    """Applies migrations, none of which makes anybody wait for longer than a set time.

    A migration that does not get its locks in time is rolled back and tried again, later than those
    before it, which stay applied.
    """

    _at = ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Adds the limits to Django's arguments."""
        super().add_arguments(parser)
        parser.add_argument(
            "--wait-ms",
            type=int,
            default=_WAIT_MS,
            help="milliseconds that a statement waits for a lock, and others for the migration",
        )
        parser.add_argument(
            "--retry-seconds",
            type=float,
            default=_RETRY_SECONDS,
            help="how long to try again before giving up",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrates; raises CommandError with who had the locks."""
        migrate_once: Callable[[], object] = partial(super().handle, *args, **options)
        if options["database"] != DEFAULT_DB_ALIAS:
            migrate_once()
            return
        limits = Limits(options["wait_ms"], options["retry_seconds"])
        try:
            waited = try_between_traffic(migrate_once, limits=limits, say=self._say)
        except Busy as busy:
            raise CommandError(
                f"{self._at}{busy}\nEarlier migrations are applied, and nothing waits for this one."
                " Run migrate again once these sessions have ended."
            ) from busy
        if waited >= _LEAST_SAID_SECONDS and options["verbosity"] > 0:
            self.stdout.write(f"Longest wait of another session: {waited * 1000:.0f} ms")

    def migration_progress_callback(
        self,
        action: str,
        migration: Migration | None = None,
        fake: bool = False,  # noqa: FBT001, FBT002  as Django calls it
    ) -> None:
        """Notes the migration, and shows progress as Django does."""
        if migration is not None:
            self._at = f"{migration}: "
        super().migration_progress_callback(action, migration, fake)

    def _say(self, reason: str) -> None:
        self.stderr.write(f"\n{self._at}{reason}")
