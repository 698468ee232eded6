"""Rows that are on record column by column: decisions, evidence, what was refused.

What rounds paid can be worked out again from their cards, and reconciliation does. What a person
wrote cannot. So tables of decisions have a trigger that hashes every row as it is added; with the
next head a worker puts these digests on record (``ROWS_KEPT``), and so into the signed log.
``verify_kept_rows`` compares them with the rows.
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

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries

ROWS_KEPT: Final = "ROWS_KEPT"
LOG: Final = Actor("audit log")

_TRIGGER: Final = "kept"
_MOST_ROWS: Final = 500
"""In one record."""
_TAKEN: Final = 20_000
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
_WAITING: Final = """
    SELECT key, columns, encode(digest, 'hex') FROM trail_pendingrow WHERE table_name = %s
"""
_ROWS: Final = """
    SELECT trail_key(to_jsonb(one), %s), encode(trail_digest(one, %s), 'hex') FROM {table} AS one
"""
_COLUMNS: Final = """
    SELECT attname FROM pg_attribute
     WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped
"""

FUNCTIONS: Final = r"""
    CREATE OR REPLACE FUNCTION trail_digest(one anyelement, without text[])
    RETURNS bytea LANGUAGE sql STABLE SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
        SELECT sha256(convert_to((to_jsonb(one) - without)::text, 'UTF8'))
    $$;
    CREATE OR REPLACE FUNCTION trail_key(one jsonb, columns text)
    RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT string_agg(one->>name, '/' ORDER BY place)
          FROM unnest(string_to_array(columns, ',')) WITH ORDINALITY AS part (name, place)
    $$
"""
"""A row's digest: SHA-256 over the JSON of its columns but some, times in UTC; and its key."""


class KeptFault(NamedTuple):
    """A row that is not as it is on record, is not on record, or is on record and gone."""

    table: str
    key: str
    found: str | None
    expected: str | None


class _Kept(NamedTuple):
    columns: tuple[str, ...]
    digest: str


def kept(prefix: str, *, key: str = "id") -> pgtrigger.Trigger:
    """The trigger that hashes the rows of a table; ``key`` names its key's columns, by commas."""
    return pgtrigger.Trigger(
        name=f"{prefix}_{_TRIGGER}",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=pgtrigger.Referencing(new="added"),  # type: ignore[no-untyped-call]  # theirs
        func=_KEEP.format(key=key),
    )


def keep_all(table: str, *, key: str = "id") -> str:
    """SQL for migrations: what stands in a table already is kept as if it were added now."""
    return f"""
        INSERT INTO trail_pendingrow (table_name, key, columns, digest)
        SELECT '{table}', trail_key(to_jsonb(one), '{key}'),
               ARRAY(SELECT jsonb_object_keys(to_jsonb(one)) ORDER BY 1), trail_digest(one, '{{}}')
          FROM {table} AS one
    """  # noqa: S608  our own names


def put_rows_on_record(*, at: datetime) -> int:
    """Records the digests that wait, in the current transaction; gives how many rows they are."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [_TAKEN])
        taken = sorted(cursor.fetchall())
    entries = []
    for (table, columns), rows in groupby(taken, key=lambda row: row[:2]):
        listed = [[key, digest] for _table, _columns, _id, key, digest in rows]
        for first in range(0, len(listed), _MOST_ROWS):
            details = {"columns": list(columns), "rows": listed[first : first + _MOST_ROWS]}
            entries.append(Entry(ROWS_KEPT, f"rows:{table}", details))
    record_entries(entries, at=at, actor=LOG)
    return len(taken)


def kept_models() -> list[type[Model]]:
    """The models whose rows are kept, by the names of their tables."""
    found = [model for model in apps.get_models() if _kept_trigger(model) is not None]
    return sorted(found, key=lambda model: model._meta.db_table)  # noqa: SLF001


def verify_kept_rows() -> Iterator[KeptFault]:
    """Every row of these tables against what is on record of it."""
    for model in kept_models():
        yield from _verify(model._meta.db_table, _key_of(model))  # noqa: SLF001


def _verify(table: str, key: str) -> Iterator[KeptFault]:
    records = AuditRecord.objects.filter(subject=f"rows:{table}", action=ROWS_KEPT).order_by("id")
    on_record: dict[str, _Kept] = {}
    for record in records.iterator(chunk_size=100):
        on_record |= _said_by(record.details)
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [table])
        on_record |= {one: _Kept(tuple(names), digest) for one, names, digest in cursor.fetchall()}
        cursor.execute(_COLUMNS, [table])
        now = {name for (name,) in cursor.fetchall()}
    by_columns = defaultdict(set)
    for one, row in on_record.items():
        by_columns[row.columns].add(one)
    rows = _digests(table, key, [])
    for columns, keys in by_columns.items():
        if without := sorted(now.difference(columns)):
            earlier = _digests(table, key, without)
            rows |= {one: earlier[one] for one in keys & earlier.keys()}
    for one in sorted(rows.keys() | on_record.keys()):
        expected = on_record[one].digest if one in on_record else None
        if rows.get(one) != expected:
            yield KeptFault(table, one, rows.get(one), expected)


def _said_by(details: Any) -> dict[str, _Kept]:  # noqa: ANN401  JSON
    """By their keys the rows of a record; of one that was made another none: its leaf tells."""
    try:
        columns = tuple(map(str, details["columns"]))
        return {str(one): _Kept(columns, str(digest)) for one, digest in details["rows"]}
    except (KeyError, TypeError, ValueError):
        return {}


def _digests(table: str, key: str, without: Sequence[str]) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS.format(table=table), [key, list(without)])
        return dict(cursor.fetchall())


def _kept_trigger(model: type[Model]) -> pgtrigger.Trigger | None:
    triggers: list[Any] = getattr(model._meta, "triggers", [])  # noqa: SLF001
    return next((one for one in triggers if one.name.endswith(f"_{_TRIGGER}")), None)


def _key_of(model: type[Model]) -> str:
    fields = model._meta.pk_fields  # noqa: SLF001  of a composite key, its parts
    return ",".join(str(field.column) for field in fields)
