"""The constraints that models and migrations declare, and those of the database.

Constraints are keys, unique columns, references and checks; unique indexes are among them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from django.db import connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import CheckConstraint, Field, ForeignKey, Model, UniqueConstraint

from compliance.storage.managed_models import managed_models
from compliance.storage.schema_objects.declared import sql_of_migrations

PRIMARY_KEY: Final = "primary key"
UNIQUE: Final = "unique"
UNIQUE_NULLS: Final = "unique also without a value"
FOREIGN_KEY: Final = "foreign key"
CHECK: Final = "check"

_KINDS: Final = {"p": PRIMARY_KEY, "u": UNIQUE, "n": UNIQUE_NULLS, "f": FOREIGN_KEY, "c": CHECK}
_CONDITION: Final = re.compile(r"(?:CHECK|WHERE) (?P<condition>.*)$", re.DOTALL)
_INSTALLED: Final = """
    SELECT r.relname, contype::text,
           ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
                   JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place),
           coalesce(target.relname, ''),
           ARRAY(SELECT attname::text FROM unnest(confkey) WITH ORDINALITY AS k (number, place)
                   JOIN pg_attribute ON attrelid = confrelid AND attnum = number ORDER BY place),
           CASE contype WHEN 'c' THEN conname ELSE '' END,
           coalesce(pg_get_expr(conbin, conrelid), ''),
           convalidated AND confdeltype IN (' ', 'a')
                        AND coalesce(to_jsonb(c)->>'conenforced', 'true') = 'true'
      FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = conrelid
      LEFT JOIN pg_class AS target ON target.oid = confrelid
     WHERE r.relnamespace = 'public'::regnamespace AND contype IN ('p', 'f', 'c')
       AND NOT r.relispartition
     UNION ALL
    SELECT r.relname, CASE WHEN indnullsnotdistinct THEN 'n' ELSE 'u' END,
           ARRAY(SELECT attname::text
                   FROM unnest(indkey::int2[]) WITH ORDINALITY AS k (number, place)
                   JOIN pg_attribute ON attrelid = indrelid AND attnum = number
                  WHERE place <= indnkeyatts ORDER BY place),
           '', '{}', '', coalesce(pg_get_expr(indpred, indrelid), ''), indisvalid AND indimmediate
      FROM pg_index JOIN pg_class AS r ON r.oid = indrelid
     WHERE r.relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary
       AND NOT r.relispartition AND indexprs IS NULL
"""
_REFERENCE: Final = re.compile(
    r"ALTER TABLE (?P<table>\w+) ADD CONSTRAINT \w+\s+"
    r"FOREIGN KEY \((?P<column>\w+)\) REFERENCES (?P<target>\w+ \(\w+\))"
)


class Constraint(NamedTuple):
    """A constraint. Only a check is known by its name: others are what they say."""

    table: str
    kind: str
    columns: tuple[str, ...]
    """In their order; empty for checks, which have a name."""
    target: str
    """The table and the columns that are referenced; empty otherwise."""
    name: str
    """Of a check; empty otherwise."""
    condition: str
    """Of a check, or the rows among which columns are unique; empty for all."""

    @property
    def item(self) -> str:
        """The constraint as differences name it."""
        if self.kind == CHECK:
            return f"check {self.name} on {self.table}"
        words = f"{self.kind} ({', '.join(self.columns)}) of {self.table}"
        return f"{words} to {self.target}" if self.target else words


def declared_constraints() -> list[Constraint]:
    """Every constraint of every model's table."""
    editor = connection.SchemaEditorClass(connection, collect_sql=True)
    references = [match for sql in sql_of_migrations() for match in _REFERENCE.finditer(sql)]
    return [
        *(
            Constraint(match["table"], FOREIGN_KEY, (match["column"],), match["target"], "", "")
            for match in references
        ),
        *_of_models(editor),
    ]


def _of_models(editor: BaseDatabaseSchemaEditor) -> Iterator[Constraint]:
    return (
        constraint
        for model in managed_models()
        for constraint in (*_of_fields(model), *_of_model(model, editor))
    )


def reference(table: str, columns: tuple[str, ...]) -> str:
    """The target of a foreign key."""
    return f"{table} ({', '.join(columns)})"


def _of_fields(model: type[Model]) -> Iterator[Constraint]:
    table = model._meta.db_table
    key = tuple(str(field.column) for field in model._meta.pk_fields)
    yield Constraint(table, PRIMARY_KEY, key, "", "", "")
    for field in model._meta.local_concrete_fields:
        columns = (str(field.column),)
        if field.unique and not field.primary_key:
            yield Constraint(table, UNIQUE, columns, "", "", "")
        if isinstance(field, ForeignKey) and getattr(field, "db_constraint", True):
            yield Constraint(table, FOREIGN_KEY, columns, _target(field), "", "")
        if check := field.db_parameters(connection)["check"]:
            name = f"{table}_{field.column}_check"  # PostgreSQL's own
            yield Constraint(table, CHECK, (), "", name, str(check))
    for names in model._meta.unique_together:
        yield Constraint(table, UNIQUE, _columns(model, names), "", "", "")


def _target(field: "ForeignKey[Model, Model]") -> str:
    related: Field[object, object] = field.target_field
    return reference(related.model._meta.db_table, (str(related.column),))


def _of_model(model: type[Model], editor: BaseDatabaseSchemaEditor) -> Iterator[Constraint]:
    table = model._meta.db_table
    for constraint in model._meta.constraints:
        if isinstance(constraint, CheckConstraint):
            sql = str(constraint.constraint_sql(model, editor))
            yield Constraint(table, CHECK, (), "", constraint.name, _condition_in(sql))
        elif isinstance(constraint, UniqueConstraint):
            sql = str(constraint.create_sql(model, editor))
            condition = _condition_in(sql) if constraint.condition else ""
            kind = UNIQUE if constraint.nulls_distinct is not False else UNIQUE_NULLS
            columns = _columns(model, constraint.fields)
            yield Constraint(table, kind, columns, "", "", condition)


def _columns(model: type[Model], names: Iterable[str]) -> tuple[str, ...]:
    columns = {field.name: str(field.column) for field in model._meta.local_concrete_fields}
    return tuple(columns[name] for name in names)


def _condition_in(sql: str) -> str:
    match = _CONDITION.search(sql)
    if match is None:
        raise ValueError(f"found {sql}; needed a condition")
    return match["condition"]


def installed_constraints() -> list[Constraint]:
    """Every constraint in the database that is in force."""
    with connection.cursor() as cursor:
        cursor.execute(_INSTALLED)
        rows = cursor.fetchall()
    return [
        Constraint(
            table,
            _KINDS[kind],
            () if kind == "c" else tuple(columns),
            reference(target, tuple(target_columns)) if target else "",
            name,
            condition,
        )
        for table, kind, columns, target, target_columns, name, condition, in_force in rows
        if in_force
    ]
