"""Emptying a sandbox of what was played, while its processes run.

One transaction, by the owner of the tables: if it is interrupted, nothing has changed. It keeps
people, keys, tables, limits and reasons (``is_kept``) with the audit records about them, whose
batches a worker then adds to a log that begins again. Everything else is emptied. Nobody else can
use the tables while their triggers are disabled.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Max
from django.db.models.functions import Now
from psycopg import errors, sql

from casino.integrations.models import WebhookState
from compliance.siem.models import SiemCursor
from compliance.storage.managed_models import managed_models
from compliance.trail.actor import Actor
from compliance.trail.models import SandboxStart, TreeHead
from compliance.trail.record import Entry, record_entries
from compliance.trail.row_digests import attested_models, keep_all
from compliance.trail.sandbox import sandbox_start

RESET: Final = "SANDBOX_RESET"
_TRIES: Final = 20
_PATIENCE: Final = "SET LOCAL lock_timeout = '3s'"
"""Processes wait for the reset's locks as long as the reset waits for theirs."""

_KEPT_APPS: Final = frozenset(
    {
        *("auth", "account", "axes", "mfa", "sessions", "admin", "contenttypes"),
        *("casino", "signatures", "certification", "api", "siem"),
    }
)
_KEPT_TABLES: Final = frozenset(
    {
        *("rounds_table", "rounds_earliertable", "rounds_tablesuspension"),
        *("rounds_stakelimit", "rounds_stakelimitset", "rounds_earlierruleset"),
        *("rounds_studiokey", "rounds_studiokeystep", "rounds_signaturerequirement"),
        *("payouts_reason", "payouts_disputeterm", "backoffice_savedview"),
        *("notifications_channelchoice", "notifications_quiethours"),
        *("exports_taxrate", "exports_rulecertificate", "exports_certificaterun"),
        "trail_sandboxstart",
    }
)
_EMPTIED: Final = frozenset(
    {"api_deadletter", "api_webhookorder", "api_givenanswer", "api_spentrate"}
)
"""Tables of the kept applications that are about what was played."""
_SUBJECTS: Final = (
    *("user", "signing-key", "studio-key", "key", "webhook", "table", "rules", "reason", "tax"),
    *("dispute term", "log", "sandbox"),
)
"""What the kept audit records are about, as their subjects begin."""

_KEPT_BATCHES: Final = """
    SELECT batch.* FROM trail_auditbatch AS batch
      JOIN (SELECT DISTINCT (left(id::text, 30) || '000000')::uuid AS id FROM trail_auditrecord
             WHERE split_part(subject, ':', 1) = ANY(%s)) AS kept USING (id)
"""
_KEPT_RECORDS: Final = """
    SELECT * FROM trail_auditrecord
     WHERE (left(id::text, 30) || '000000')::uuid IN (SELECT id FROM kept_auditbatch)
"""
_OF_KEPT_RECORDS: Final = """
    SELECT * FROM {table} WHERE record_id IN (SELECT id FROM kept_auditrecord)
"""
_RELATIONS: Final = """
    SELECT oid::regclass::text FROM pg_class
     WHERE relkind IN ('r', 'p') AND (oid = ANY(%(tables)s::text[]::regclass[]) OR oid IN (
           SELECT inhrelid FROM pg_inherits WHERE inhparent = ANY(%(tables)s::text[]::regclass[])))
     ORDER BY relkind = 'r', 1
"""
_IS_OWNER: Final = """
    SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
     WHERE oid = 'trail_sandboxstart'::regclass
"""


class NoSandbox(Exception):
    """The setting, the database, or the role with which it is used is not that of a sandbox."""


class SandboxBusy(Exception):
    """Another transaction has used the tables all the time. Nothing was changed."""


class _Partly(NamedTuple):
    """A table of which some rows are kept, and the query of these."""

    table: str
    query: str
    values: tuple[list[str], ...] = ()

    @property
    def copy(self) -> str:
        """The name of the temporary table with these rows."""
        return f"kept_{self.table.partition('_')[2]}"


_PARTLY: Final = (
    _Partly("trail_auditbatch", _KEPT_BATCHES, (list(_SUBJECTS),)),
    _Partly("trail_auditrecord", _KEPT_RECORDS),
    *(
        _Partly(table, _OF_KEPT_RECORDS.format(table=table))
        for table in ("signatures_decisionsignature", "signatures_earlierdecision")
    ),
)
"""In the order in which the queries need each other."""


def require_sandbox() -> None:
    """Raises NoSandbox unless the setting and the database say so, and we own its tables."""
    if not settings.SANDBOX:
        raise NoSandbox("found SANDBOX unset; needed an installation that is a sandbox")
    if sandbox_start() is None:
        raise NoSandbox(
            "found the database of a real casino, whatever SANDBOX says; needed one that was a"
            " sandbox from its first migration on"
        )
    with connection.cursor() as cursor:
        cursor.execute(_IS_OWNER)
        if cursor.fetchone() != (True,):
            raise NoSandbox("found a role that owns no tables; needed their owner")


def reset_sandbox(*, at: datetime, actor: Actor) -> None:
    """Empties the sandbox. Raises NoSandbox, or SandboxBusy after a minute of waiting for locks."""
    if not any(_reset_unless_busy(at=at, actor=actor) for _try in range(_TRIES)):
        raise SandboxBusy(
            "found tables in use all the time; needed a moment without long transactions"
        )


def is_kept(table: str, app: str) -> bool:
    """Whether a reset keeps the rows of this table, or some of them."""
    return table in _KEPT_TABLES or (app in _KEPT_APPS and table not in _EMPTIED)


def emptied_tables() -> list[str]:
    """The tables of which a reset keeps nothing."""
    partly = {part.table for part in _PARTLY}
    return sorted(set(_tables(kept=False)) - partly)


def _tables(*, kept: bool) -> Iterator[str]:
    for model in managed_models():
        if is_kept(model._meta.db_table, model._meta.app_label) == kept:
            yield model._meta.db_table


def _reset_unless_busy(*, at: datetime, actor: Actor) -> bool:
    try:
        with transaction.atomic():
            require_sandbox()
            _reset(at=at, actor=actor)
    except OperationalError as error:
        if isinstance(error.__cause__, errors.LockNotAvailable | errors.DeadlockDetected):
            return False
        raise
    return True


def _reset(*, at: datetime, actor: Actor) -> None:
    emptied = [*emptied_tables(), *(part.table for part in _PARTLY)]
    with connection.cursor() as cursor:
        cursor.execute(_PATIENCE)
        # Before the tables: others may hold such a row for as long as a receiver takes to answer.
        SiemCursor.objects.update(seen=0)
        WebhookState.objects.update(seen=0, attempts=0, first_tried_at=None, due_at=Now())
        cursor.execute(_RELATIONS, {"tables": emptied})
        relations = [name for (name,) in cursor.fetchall()]
        _for_each("LOCK TABLE ONLY {} IN ACCESS EXCLUSIVE MODE", relations, cursor)
        last = TreeHead.objects.aggregate(at=Max("at"))["at"] or at
        for part in _PARTLY:
            copied = f"CREATE TEMP TABLE {part.copy} ON COMMIT DROP AS {part.query}"
            cursor.execute(copied, part.values or None)
        _for_each("ALTER TABLE ONLY {} DISABLE TRIGGER USER", relations, cursor)
        names = sql.SQL(", ").join(map(sql.Identifier, emptied))
        cursor.execute(sql.SQL("TRUNCATE {}").format(names))
        for part in _PARTLY:
            cursor.execute(f"INSERT INTO {part.table} SELECT * FROM {part.copy}")  # noqa: S608  ours
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # before tables are altered
        _for_each("ALTER TABLE ONLY {} ENABLE TRIGGER USER", relations, cursor)
        cursor.execute("INSERT INTO trail_pendingbatch SELECT id FROM kept_auditbatch")
        for model in attested_models():
            if is_kept(model._meta.db_table, model._meta.app_label):
                key = ",".join(str(field.column) for field in model._meta.pk_fields)
                cursor.execute(keep_all(model._meta.db_table, key=key))
    # Not before the last head, whatever the clock of its worker said: it precedes the reset.
    SandboxStart.objects.create(at=max(at, last))
    record_entries([Entry(RESET, "sandbox:reset", {})], at=at, actor=actor)


def _for_each(statement: str, relations: Iterable[str], cursor: CursorWrapper) -> None:
    for relation in relations:
        cursor.execute(sql.SQL(statement).format(sql.Identifier(relation)))
