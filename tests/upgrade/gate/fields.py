"""Which columns may be added, changed and dropped while the previous release runs."""

from typing import Any, Final, TypeAlias

from django.db.models import Field, GeneratedField, ManyToManyField, Value

_IN_PYTHON_ONLY: Final = {"auto_now", "auto_now_add", "default", "serialize"}
"""Arguments without effect on the column, besides ``Field.non_db_attrs``."""
_IN_PLACE: Final = (
    "it rewrites or reads the whole table, or breaks the previous release. Add a column, fill it in"
    " batches, read it from the next release on, drop the old one then; for NOT NULL a check"
    " (AddConstraintNotValid, ValidateConstraint)"
)

Columns: TypeAlias = "Field[Any, Any]"


def faults_of_added(field: Columns) -> list[str]:
    """Why a column cannot be added to a table with rows; empty if it can."""
    if isinstance(field, ManyToManyField):
        return []
    faults = []
    if isinstance(field, GeneratedField):
        faults.append("a generated column rewrites the table: add a column that a trigger fills")
    elif not field.null and not field.has_db_default():
        faults.append(
            "the previous release inserts rows without it: null=True, or db_default (a default is"
            " Python's, and unknown to it)"
        )
    if field.has_db_default() and not isinstance(field.db_default, Value | int | str | bool):
        faults.append(
            "db_default is computed for each row, which rewrites the table: a constant, or"
            " null=True and a migration that fills it in batches"
        )
    if field.primary_key or field.unique:
        faults.append("unique builds an index while nobody can write: a constraint, as below")
    elif getattr(field, "db_index", False):
        faults.append(
            "its index is built while nobody can write: db_index=False, then AddIndexOnline"
        )
    return faults


def faults_of_removed(field: Columns) -> list[str]:
    """Why the code cannot stop to write a column; empty if it can."""
    if isinstance(field, ManyToManyField) or field.null or field.has_db_default():
        return []
    return ["INSERTs without it would fail: first AlterField to null=True"]


def faults_of_altered(before: Columns, after: Columns) -> list[str]:
    """Why a column cannot be changed in place; empty if the catalogue alone changes."""
    _, path, arguments, options = before.deconstruct()
    _, new_path, new_arguments, new_options = after.deconstruct()
    ignored = _IN_PYTHON_ONLY | set(before.non_db_attrs)
    changed = {
        name
        for name in options.keys() | new_options.keys()
        if name not in ignored and options.get(name) != new_options.get(name)
    }
    if after.null and not before.null:
        changed.discard("null")
    if _is_longer(before.max_length, after.max_length):
        changed.discard("max_length")
    changed.discard("db_default")
    if (path, arguments) == (new_path, new_arguments) and not changed:
        return []
    what = ", ".join(sorted(changed)) or f"{path} to {new_path}"
    return [f"{what} is changed: {_IN_PLACE}"]


def _is_longer(before: int | None, after: int | None) -> bool:
    return before is not None and (after is None or after >= before)
