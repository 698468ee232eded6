"""Which operations a migration may have; what is not listed is refused.

A table that the same migration creates may be changed in any way.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pgtrigger.migrations
from django.contrib.postgres import operations as postgres
from django.db import migrations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CheckConstraint

from compliance.storage.online_migrations.indexes import AddIndexOnline, RemoveIndexOnline
from tests.upgrade.gate.fields import faults_of_added, faults_of_altered, faults_of_removed
from tests.upgrade.gate.statements import faults_of_statements

_BRIEF: Final = (
    *(migrations.CreateModel, migrations.AlterModelOptions, migrations.AlterModelManagers),
    *(migrations.RemoveConstraint, migrations.RenameIndex, postgres.AddConstraintNotValid),
    *(pgtrigger.migrations.AddTrigger, pgtrigger.migrations.RemoveTrigger),
)
"""They change the catalogue only, under a lock that ``migrate`` bounds."""
_REPEATABLE: Final = (
    *(AddIndexOnline, RemoveIndexOnline, postgres.ValidateConstraint),
    *(migrations.RunPython, migrations.RunSQL),
)
_LASTING: Final = (migrations.RunPython, postgres.ValidateConstraint)
_ONLINE: Final = (
    "an index of a table with rows is built or dropped while nobody can write: AddIndexOnline and"
    " RemoveIndexOnline (compliance/storage/online_migrations/indexes.py), with atomic = False"
)
_DROPS: Final = (
    "the previous release still uses it: remove it in its state only (SeparateDatabaseAndState)"
    " and drop it by RunSQL in a later release, whose migration names it in `contracts`"
)
_RENAMES: Final = (
    "the previous release uses the old name: add the new one, write both, drop the old one in a"
    " later release"
)
_UNIQUE: Final = (
    "its index is built while nobody can write: CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS,"
    " then ADD CONSTRAINT … USING INDEX, by RunSQL, with the state in SeparateDatabaseAndState"
)
_NOT_VALID: Final = (
    "it reads the whole table under a lock: AddConstraintNotValid, then ValidateConstraint in a"
    " further migration"
)
_ALONE: Final = (
    "it stands in a migration of its own: in one transaction with other operations it would run"
    " under their locks"
)
_DECIDE: Final = (
    "decide whether it is safe besides traffic, and add it to tests/upgrade/gate/operations.py"
)


class Judge:
    """Judges one migration on the state before it."""

    def __init__(self, migration: migrations.Migration, state: ProjectState) -> None:
        self._migration, self._state = migration, state.clone()
        self._app = migration.app_label
        self._created: set[str] = set()
        self._contracts = bool(getattr(migration, "contracts", ()))

    def faults(self) -> Iterator[str]:
        """What is wrong with the migration."""
        for operation in self._migration.operations:
            for fault in self._faults_of(operation):
                yield f"{operation.describe()}: {fault}"
            if isinstance(operation, migrations.CreateModel):
                self._created.add(operation.name_lower)
            operation.state_forwards(self._app, self._state)

    def _faults_of(self, operation: Operation) -> Iterator[str]:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from self._faults_of_separated(operation)
            return
        yield from self._faults_of_transaction(operation)
        model = getattr(operation, "model_name_lower", None)
        if model in self._created or isinstance(operation, _BRIEF):
            return
        if isinstance(operation, migrations.RunSQL):
            yield from faults_of_statements(
                operation, is_atomic=self._migration.atomic, contracts=self._contracts
            )
        elif isinstance(operation, migrations.AlterField):
            before = self._state.models[self._app, operation.model_name_lower]
            yield from faults_of_altered(before.fields[operation.name], operation.field)
        elif not isinstance(operation, _REPEATABLE):
            yield from _REFUSED.get(type(operation), _unknown)(operation)

    def _faults_of_separated(self, both: migrations.SeparateDatabaseAndState) -> Iterator[str]:
        for operation in both.database_operations:
            yield from self._faults_of(operation)
        for operation in both.state_operations:
            if isinstance(operation, migrations.RemoveField):
                model = self._state.models[self._app, operation.model_name_lower]
                yield from faults_of_removed(model.fields[operation.name])

    def _faults_of_transaction(self, operation: Operation) -> Iterator[str]:
        is_atomic = self._migration.atomic
        if isinstance(operation, AddIndexOnline | RemoveIndexOnline) and is_atomic:
            yield "it needs atomic = False in its migration"
        if not is_atomic and not isinstance(operation, _REPEATABLE):
            yield "it cannot be repeated after a failure: a migration with a transaction"
        if isinstance(operation, _LASTING) and is_atomic and self._locks_tables_in_use(operation):
            yield _ALONE

    def _locks_tables_in_use(self, lasting: Operation) -> bool:
        """Whether the migration has operations, besides a lasting one, on tables of before."""
        operations = self._migration.operations
        new = {made.name_lower for made in operations if isinstance(made, migrations.CreateModel)}
        return any(
            getattr(other, "model_name_lower", None) not in new
            for other in operations
            if other is not lasting
            and not isinstance(other, migrations.CreateModel | migrations.RunPython)
        )


def _unknown(operation: Operation) -> list[str]:
    return [f"the gate does not know {type(operation).__name__}: {_DECIDE}"]


def _constraint(operation: Any) -> list[str]:
    return [_NOT_VALID if isinstance(operation.constraint, CheckConstraint) else _UNIQUE]


_REFUSED: Final[Mapping[type[Operation], Callable[[Any], list[str]]]] = {
    migrations.AddField: lambda operation: faults_of_added(operation.field),
    migrations.AddConstraint: _constraint,
    **dict.fromkeys(
        (
            *(migrations.AddIndex, migrations.RemoveIndex),
            *(postgres.AddIndexConcurrently, postgres.RemoveIndexConcurrently),
        ),
        lambda _: [_ONLINE],
    ),
    **dict.fromkeys((migrations.RemoveField, migrations.DeleteModel), lambda _: [_DROPS]),
    **dict.fromkeys(
        (migrations.RenameField, migrations.RenameModel, migrations.AlterModelTable),
        lambda _: [_RENAMES],
    ),
}
