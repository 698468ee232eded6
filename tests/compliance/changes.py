"""Single changes to rows, as a superuser makes them whom no trigger stops."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from django.apps import apps
from django.db import DatabaseError, connection, models

_OTHER_UUID: Final = (
    "coalesce(overlay({column}::text placing to_hex((('x' ||"
    " substr({column}::text, 36))::bit(4)::int + 1) % 16) from 36)::uuid, gen_random_uuid())"
)


@dataclass(frozen=True)
class Change:
    """One column of one row, or one row."""

    table: str
    column: str | None

    def make(self, chance: Random) -> bool:
        """Carries it out as a superuser does whom no trigger stops; whether the table takes it."""
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(f"SELECT ctid, tableoid::regclass::text FROM {self.table} ORDER BY 1, 2")
            row, part = chance.choice(cursor.fetchall())
            change = f"DELETE FROM {part}"
            if self.column is not None:
                change = f"UPDATE {part} SET {self.column} = {self._other()}"
            try:
                cursor.execute(f"{change} WHERE ctid = '{row}'")
            except DatabaseError:  # a key that is taken, a month that is another part's
                return False
        return True

    def _other(self) -> str:
        """An expression of the column's type that is never what the column holds."""
        [field] = [one for one in _model_of(self.table)._meta.fields if one.column == self.column]
        column = f'"{self.column}"'
        return {
            models.UUIDField: _OTHER_UUID.format(column=column),
            models.DateTimeField: f"coalesce({column}, now()) + interval '1 microsecond'",
            models.DateField: f"coalesce({column}, now()::date) + 1",
            models.BinaryField: f"coalesce({column}, '') || '\\x00'::bytea",
            models.JSONField: f"jsonb_build_array({column})",
            models.BooleanField: f"NOT {column}",
            models.CharField: f"overlay(coalesce({column}, '') placing '~' from 1 for 1)",
            models.TextField: f"coalesce({column}, '') || ' '",  # to JSON it is the same
        }.get(_kind(field), f"coalesce({column}, 0) + 1")


def _kind(field: "models.Field[Any, Any]") -> "type[models.Field[Any, Any]]":
    """What the column holds; of a foreign key, what its target does."""
    if isinstance(field, models.ForeignKey):
        return _kind(field.target_field)
    kinds = (models.UUIDField, models.DateTimeField, models.DateField, models.BinaryField)
    texts = (models.JSONField, models.BooleanField, models.CharField, models.TextField)
    return next((kind for kind in (*kinds, *texts) if isinstance(field, kind)), models.IntegerField)


def _model_of(table: str) -> type[models.Model]:
    return next(model for model in apps.get_models() if model._meta.db_table == table)


def changes_of(tables: Iterable[str]) -> list[Change]:
    """Every column of these tables, and a row of each taken out."""
    columns = [
        Change(table, field.column)
        for table in tables
        for field in _model_of(table)._meta.fields
        if field.column is not None
    ]
    return columns + [Change(table, None) for table in tables]
