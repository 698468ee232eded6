"""Attested rows: digests of decisions, evidence and rejected documents in the signed log.

Payments can be recomputed from the cards, and reconciliation does so; what a person wrote cannot.
Tables of decisions therefore have a trigger that hashes every new row. With the next tree head a
worker records these digests (``ROWS_KEPT``). ``verify_row_digests`` compares them with the rows.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

import pgtrigger
from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.db.models.functions import Collate

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord, PendingRow
from compliance.trail.record import Entry, record_entries

ROWS_KEPT: Final = "ROWS_KEPT"
LOG: Final = Actor("audit log")

_TRIGGER: Final = "kept"
_MOST_ROWS: Final = 500
"""The number of rows in one record, at most."""
_AT_ONCE: Final = 20_000
_NO_MORE: Final[tuple[None, Iterator[AuditRecord]]] = (None, iter(()))
_KEEP: Final = """
    INSERT INTO trail_pendingrow (table_name, key, columns, digest)
    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), '{key}'),
           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{{}}')
      FROM added;
    RETURN NULL;
"""
_TAKE: Final = """
    DELETE FROM trail_pendingrow
     WHERE id IN (SELECT id FROM trail_pendingrow ORDER BY id LIMIT %s)
    RETURNING table_name, columns, id, key, encode(digest, 'hex')
"""
_ROWS: Final = """
    SELECT trail_key(to_jsonb(one), %s), encode(trail_digest(one, %s), 'hex') FROM {table} AS one
"""
_COLUMNS: Final = """
    SELECT attrelid::regclass::text, array_agg(attname::text) FROM pg_attribute
     WHERE attrelid = ANY(%s::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped
     GROUP BY attrelid
"""

FUNCTIONS: Final = r"""
    CREATE OR REPLACE FUNCTION trail_digest(one anyelement, without text[])
    RETURNS bytea LANGUAGE sql STABLE
    SET search_path = public, pg_temp SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
        SELECT sha256(convert_to((to_jsonb(one) - without)::text, 'UTF8'))
    $$;
    CREATE OR REPLACE FUNCTION trail_key(one jsonb, columns text)
    RETURNS text LANGUAGE sql IMMUTABLE
    SET search_path = public, pg_temp AS $$
        SELECT string_agg(one->>name, '/' ORDER BY place)
          FROM unnest(string_to_array(columns, ',')) WITH ORDINALITY AS part (name, place)
    $$
"""
"""SQL functions: a row's digest (SHA-256 over the JSON of its columns without some, times in UTC),
and its key."""


class RowFault(NamedTuple):
    """A row that differs from its recorded digest, has none, or was deleted."""

    table: str
    key: str
    found: str | None
    expected: str | None


class _AttestedRow(NamedTuple):
    columns: tuple[str, ...]
    digest: str


def attested_rows(prefix: str, *, key: str = "id") -> pgtrigger.Trigger:
    """The trigger that hashes new rows; ``key`` lists the columns of the key, by commas."""
    return pgtrigger.Trigger(
        name=f"{prefix}_{_TRIGGER}",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=pgtrigger.Referencing(new="added"),  # type: ignore[no-untyped-call]  # theirs
        func=_KEEP.format(key=key),
    )


def keep_all(table: str, *, key: str = "id") -> str:
    """SQL for migrations: hashes the rows that a table has already."""
    return f"""
        INSERT INTO trail_pendingrow (table_name, key, columns, digest)
        SELECT '{table}', trail_key(to_jsonb(one), '{key}'),
               ARRAY(SELECT jsonb_object_keys(to_jsonb(one)) ORDER BY 1), trail_digest(one, '{{}}')
          FROM {table} AS one
    """


def record_row_digests(*, at: datetime) -> int:
    """Records pending digests in the current transaction; returns the number of rows."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [_AT_ONCE])
        pending = sorted(cursor.fetchall())
    entries = []
    for (table, columns), rows in groupby(pending, key=lambda row: row[:2]):
        listed = [[key, digest] for _table, _columns, _id, key, digest in rows]
        for first in range(0, len(listed), _MOST_ROWS):
            details = {"columns": list(columns), "rows": listed[first : first + _MOST_ROWS]}
            entries.append(Entry(ROWS_KEPT, f"rows:{table}", details))
    record_entries(entries, at=at, actor=LOG)
    return len(pending)


def attested_models() -> list[type[Model]]:
    """The models with attested rows, ordered by table name."""
    attested = [model for model in apps.get_models() if _attesting_trigger(model) is not None]
    return sorted(attested, key=lambda model: model._meta.db_table)


def verify_row_digests() -> Iterator[RowFault]:
    """Compares every row of the attested tables with its recorded digest."""
    keys = {model._meta.db_table: _key_of(model) for model in attested_models()}
    waiting: dict[str, dict[str, _AttestedRow]] = defaultdict(dict)
    pending = PendingRow.objects.values_list("table_name", "key", "columns", "digest")
    for table, row_key, columns, digest in pending:
        waiting[table][row_key] = _AttestedRow(tuple(columns), bytes(digest).hex())
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [list(keys)])
        columns_of = dict(cursor.fetchall())
    for table, recorded in _recorded(list(keys)):
        current = set(columns_of[table])
        yield from _compare(table, keys[table], current, recorded | waiting[table])


def _recorded(tables: list[str]) -> Iterator[tuple[str, dict[str, _AttestedRow]]]:
    """The recorded rows of each table by key, from one query: planning is most of what it costs."""
    records = AuditRecord.objects.filter(action=ROWS_KEPT).order_by(Collate("subject", "C"), "id")
    subjects = groupby(records.iterator(chunk_size=100), key=lambda record: record.subject)
    found, members = next(subjects, _NO_MORE)
    for table in sorted(tables):
        while found is not None and found < f"rows:{table}":
            found, members = next(subjects, _NO_MORE)
        rows: dict[str, _AttestedRow] = {}
        if found == f"rows:{table}":
            for record in members:
                rows |= _rows_in_record(record.details)
        yield table, rows


def _compare(
    table: str, key: str, current: set[str], on_record: dict[str, _AttestedRow]
) -> Iterator[RowFault]:
    by_columns = defaultdict(set)
    for row_key, row in on_record.items():
        by_columns[row.columns].add(row_key)
    rows = _digests(table, key, [])
    for columns, keys in by_columns.items():
        if without := sorted(current.difference(columns)):
            earlier = _digests(table, key, without)
            rows |= {row_key: earlier[row_key] for row_key in keys & earlier.keys()}
    for row_key in sorted(rows.keys() | on_record.keys()):
        expected = on_record[row_key].digest if row_key in on_record else None
        if rows.get(row_key) != expected:
            yield RowFault(table, row_key, rows.get(row_key), expected)


def _rows_in_record(details: Any) -> dict[str, _AttestedRow]:
    """The rows of a record by key; none if it was tampered with, which its leaf shows."""
    try:
        columns = tuple(map(str, details["columns"]))
        return {
            str(row_key): _AttestedRow(columns, str(digest)) for row_key, digest in details["rows"]
        }
    except (KeyError, TypeError, ValueError):
        return {}


def _digests(table: str, key: str, without: Sequence[str]) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS.format(table=table), [key, list(without)])
        return dict(cursor.fetchall())


def _attesting_trigger(model: type[Model]) -> pgtrigger.Trigger | None:
    triggers: list[Any] = getattr(model._meta, "triggers", [])
    return next((trigger for trigger in triggers if trigger.name.endswith(f"_{_TRIGGER}")), None)


def _key_of(model: type[Model]) -> str:
    fields = model._meta.pk_fields
    return ",".join(str(field.column) for field in fields)
