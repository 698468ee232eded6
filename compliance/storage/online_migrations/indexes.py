"""Indexes built and dropped while others read and write the table, partitioned tables included.

Both operations can be repeated after a kill: what is there stays, and an index that PostgreSQL left
behind invalid is built again.
"""

from hashlib import sha256
from typing import Any, Final

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Table
from django.db.models import Index, Model

from compliance.storage.online_migrations.attempts import lock_timeout

_LONGEST_NAME: Final = 63
_IS_PARTITIONED: Final = "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass(%s)"
_IS_VALID: Final = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
_WITHOUT_PART: Final = """
    SELECT table_part.relname
      FROM pg_inherits JOIN pg_class AS table_part ON table_part.oid = inhrelid
     WHERE inhparent = to_regclass(%s)
       AND table_part.oid NOT IN (SELECT indrelid
                                    FROM pg_index JOIN pg_inherits AS attached
                                      ON attached.inhrelid = indexrelid
                                   WHERE attached.inhparent = to_regclass(%s))
     ORDER BY table_part.relname
"""


class _OnlineOperation:
    def _migrated_model(self: Any, schema_editor: Any, state: Any, app_label: str) -> Any:
        """The model whose index changes; None if its tables are in another database."""
        model = state.apps.get_model(app_label, self.model_name)
        self._ensure_not_in_transaction(schema_editor)
        is_here = self.allow_migrate_model(schema_editor.connection.alias, model)
        return model if is_here else None


class AddIndexOnline(_OnlineOperation, AddIndexConcurrently):
    """Adds an index; of a partitioned table, partition by partition.

    Needs ``atomic = False`` in its migration.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: Any,
        from_state: Any,  # noqa: ARG002  as Django calls it
        to_state: Any,
    ) -> None:
        """Builds what is not there."""
        if model := self._migrated_model(schema_editor, to_state, app_label):
            _build(schema_editor, model, self.index)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: Any,
        from_state: Any,
        to_state: Any,  # noqa: ARG002  as Django calls it
    ) -> None:
        """Drops it."""
        if model := self._migrated_model(schema_editor, from_state, app_label):
            _drop(schema_editor, model, self.index)


class RemoveIndexOnline(_OnlineOperation, RemoveIndexConcurrently):
    """Drops an index. Needs ``atomic = False`` in its migration.

    That of a partitioned table is dropped with all of its parts at once, under a strong lock.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: Any,
        from_state: Any,
        to_state: Any,  # noqa: ARG002  as Django calls it
    ) -> None:
        """Drops it if it is there."""
        if model := self._migrated_model(schema_editor, from_state, app_label):
            _drop(schema_editor, model, self._index(app_label, from_state))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: Any,
        from_state: Any,  # noqa: ARG002  as Django calls it
        to_state: Any,
    ) -> None:
        """Builds it again."""
        if model := self._migrated_model(schema_editor, to_state, app_label):
            _build(schema_editor, model, self._index(app_label, to_state))

    def _index(self, app_label: str, state: Any) -> Index:
        found: Index = state.models[app_label, self.model_name_lower].get_index_by_name(self.name)
        return found


def _build(editor: BaseDatabaseSchemaEditor, model: type[Model], index: Index) -> None:
    table = model._meta.db_table
    if editor.collect_sql or not _value(_IS_PARTITIONED, table):
        _build_concurrently(editor, model, index, table=table, name=index.name)
        return
    if _value(_IS_VALID, _quoted(index.name)) is None:
        editor.execute(_statement(editor, model, index, table=table, name=index.name, is_only=True))
    for part in _rows(_WITHOUT_PART, table, _quoted(index.name)):
        name = _part_name(part, index.name)
        _build_concurrently(editor, model, index, table=part, name=name)
        editor.execute(
            f"ALTER INDEX {_quoted(index.name)} ATTACH PARTITION {_quoted(name)}", params=None
        )


def _build_concurrently(
    editor: BaseDatabaseSchemaEditor, model: type[Model], index: Index, *, table: str, name: str
) -> None:
    """Builds an index of a table that is not partitioned. It waits for all transactions.

    Nobody waits for the statement meanwhile, so that it needs no limit.
    """
    statement = _statement(editor, model, index, table=table, name=name)
    if editor.collect_sql:
        editor.execute(statement)
        return
    is_valid = _value(_IS_VALID, _quoted(name))
    if is_valid:
        return
    with lock_timeout(0):
        if is_valid is not None:
            editor.execute(f"DROP INDEX CONCURRENTLY {_quoted(name)}", params=None)
        editor.execute(statement)


def _statement(
    editor: BaseDatabaseSchemaEditor,
    model: type[Model],
    index: Index,
    *,
    table: str,
    name: str,
    is_only: bool = False,
) -> Any:
    statement: Any = index.create_sql(model, editor, concurrently=not is_only)
    statement.parts["table"] = Table(table, editor.quote_name)
    statement.parts["name"] = editor.quote_name(name)
    if is_only:
        statement.template = statement.template.replace(" ON %(table)s", " ON ONLY %(table)s")
    return statement


def _drop(editor: BaseDatabaseSchemaEditor, model: type[Model], index: Index) -> None:
    name = _quoted(index.name)
    if editor.collect_sql or not _value(_IS_PARTITIONED, model._meta.db_table):
        with lock_timeout(0):
            editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}", params=None)
    else:
        editor.execute(f"DROP INDEX IF EXISTS {name}", params=None)


def _part_name(part: str, index: str) -> str:
    """The name of a partition's index: the same in each attempt, and of no other index."""
    name = f"{part}_{index}"
    if len(name) <= _LONGEST_NAME:
        return name
    digest = sha256(name.encode()).hexdigest()[:8]
    return f"{name[: _LONGEST_NAME - 9]}_{digest}"


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _value(query: str, *arguments: str) -> Any:
    rows = _rows(query, *arguments)
    return rows[0] if rows else None


def _rows(query: str, *arguments: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        return [value for (value,) in cursor.fetchall()]
