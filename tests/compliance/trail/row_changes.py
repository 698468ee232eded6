"""Single changes of rows, with triggers disabled."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import DatabaseError, connection, models, transaction
from django.db.backends.utils import CursorWrapper

_OTHER_UUID: Final = (
    "coalesce(overlay({column}::text placing to_hex((('x' ||"
    " substr({column}::text, 36))::bit(4)::int + 1) % 16) from 36)::uuid, gen_random_uuid())"
)
_OTHER: Final = {
    models.UUIDField: _OTHER_UUID,
    models.DateTimeField: "coalesce({column}, now()) + interval '1 microsecond'",
    models.DateField: "coalesce({column}, now()::date) + 1",
    models.BinaryField: "coalesce({column}, '') || '\\x00'::bytea",
    models.JSONField: "jsonb_build_array({column})",
    ArrayField: "array_append({column}, '~')",
    models.BooleanField: "NOT {column}",
    models.CharField: "overlay(coalesce({column}, '') placing '~' from 1 for 1)",
    models.TextField: "coalesce({column}, '') || ' '",  # to JSON it is the same
}


_PLACE: Final = "ctid, tableoid::regclass::text"
_ROWS: Final = 100
"""So many are tried."""


class How(StrEnum):
    """The kind of change."""

    OTHER = "another value, as near as there is one"
    BORROWED = "the value of another row"
    NULL = "no value"
    GONE = "the row taken out"
    TWICE = "the row again, under another key"


class Made(NamedTuple):
    """A change that was made."""

    change: "Change"
    row: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class Change:
    """A change of one column of a row, or of one row."""

    table: str
    column: str | None
    how: How = How.OTHER

    def make(self, chance: Random) -> Made | None:
        """Applies the change to one of some rows; None if the table accepts it for none.

        A key may be used, or a value out of range. Call it in a transaction.
        """
        holding = f'WHERE "{self.column}" IS NOT NULL' if self.how is How.NULL else ""
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(f"SELECT {_PLACE} FROM {self.table} {holding} ORDER BY 2, 1")
            places = cursor.fetchall()
            for ctid, part in chance.sample(places, min(len(places), _ROWS)):
                where = f"tableoid = '{part}'::regclass AND ctid = '{ctid}'"
                cursor.execute(f"SELECT one::text FROM {self.table} AS one WHERE {where}")
                [row] = cursor.fetchone()
                with suppress(DatabaseError), transaction.atomic():
                    change = self._make(cursor, where, row, chance)
                    if change is not None:
                        return change
        return None

    def _make(self, cursor: CursorWrapper, where: str, row: str, chance: Random) -> Made | None:
        if self.how is How.GONE:
            cursor.execute(f"DELETE FROM {self.table} WHERE {where}")
            return Made(self, row, row, None)
        column, value = f'"{self.column}"', self._free(cursor) or self._value()
        if self.how is How.TWICE:
            names = [f'"{name}"' for name in columns_of(self.table)]
            values = ", ".join(value if name == column else name for name in names)
            cursor.execute(
                f"INSERT INTO {self.table} ({', '.join(names)}) SELECT {values}"
                f" FROM {self.table} WHERE {where} RETURNING {column}::text"
            )
            return Made(self, row, None, cursor.fetchone()[0])
        cursor.execute(f"SELECT {column}::text FROM {self.table} WHERE {where}")
        [old] = cursor.fetchone()
        if self.how is How.BORROWED:
            value = self._borrowed(cursor, old, chance) or column
        cursor.execute(
            f"UPDATE {self.table} SET {column} = {value} WHERE {where} RETURNING {column}::text"
        )
        [new] = cursor.fetchone()
        return None if new == old else Made(self, row, old, new)

    def _free(self, cursor: CursorWrapper) -> str | None:
        """An unused number for a key."""
        field = _field(self.table, self.column)
        is_key = field in _model_of(self.table)._meta.pk_fields
        if not is_key or _kind(field) is not models.IntegerField:
            return None
        cursor.execute(f'SELECT max("{self.column}") + 1 FROM {self.table}')
        return str(cursor.fetchone()[0])

    def _borrowed(self, cursor: CursorWrapper, old: str | None, chance: Random) -> str | None:
        """The value of another row as a literal."""
        cursor.execute(
            f'SELECT DISTINCT format(\'%%L::%%s\', "{self.column}", pg_typeof("{self.column}"))'
            f' FROM {self.table} WHERE "{self.column}"::text IS DISTINCT FROM %s ORDER BY 1',
            [old],
        )
        others = [literal for (literal,) in cursor.fetchall()]
        return chance.choice(others).replace("%", "%%") if others else None

    def _value(self) -> str:
        """An expression that differs from the current value."""
        if self.how is How.NULL:
            return "NULL"
        field = _field(self.table, self.column)
        other = _OTHER.get(_kind(field), "coalesce({column}, 0) + 1")
        if isinstance(field, ArrayField) and isinstance(field.base_field, models.UUIDField):
            other = "array_append({column}, gen_random_uuid())"
        return other.format(column=f'"{self.column}"')


def _field(table: str, column: str | None) -> "models.Field[Any, Any]":
    [field] = [f for f in _model_of(table)._meta.fields if f.column == column]
    return field


def _kind(field: "models.Field[Any, Any]") -> "type[models.Field[Any, Any]]":
    """The type of a column; for a foreign key that of its target."""
    if isinstance(field, models.ForeignKey):
        return _kind(field.target_field)
    return next((kind for kind in _OTHER if isinstance(field, kind)), models.IntegerField)


def _model_of(table: str) -> type[models.Model]:
    return next(model for model in apps.get_models() if model._meta.db_table == table)


def columns_of(table: str) -> list[str]:
    """The columns of a model's table."""
    return [field.column for field in _model_of(table)._meta.fields if field.column is not None]


def changes_of(tables: Iterable[str]) -> list[Change]:
    """Another value in each column of these tables, and one deleted row of each."""
    tables = list(tables)
    columns = [Change(table, column) for table in tables for column in columns_of(table)]
    return columns + [Change(table, None, How.GONE) for table in tables]


def further_changes_of(tables: Iterable[str]) -> list[Change]:
    """Values of other rows, NULLs, and duplicated rows."""
    tables = list(tables)
    every = [(table, field) for table in tables for field in _model_of(table)._meta.fields]
    columns = [(table, field) for table, field in every if field.column is not None]
    keys = [(table, key) for table in tables for key in _model_of(table)._meta.pk_fields]
    return [
        *(Change(table, field.column, How.BORROWED) for table, field in columns),
        *(Change(table, field.column, How.NULL) for table, field in columns if field.null),
        *(Change(table, key.column, How.TWICE) for table, key in keys),
    ]
