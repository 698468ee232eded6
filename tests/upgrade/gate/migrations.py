"""The migrations of the clone, compared with the previous release and judged one by one."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from casino.embedded.server_paths import CLONE
from tests.upgrade.gate.operations import Judge
from tests.upgrade.previous_release import released_migrations

Key = tuple[str, str]
"""The app label and the name of a migration."""


class History(NamedTuple):
    """The migrations in the order in which they are applied."""

    released: ProjectState
    """After the last migration of the previous release."""
    further: list[Migration]
    """Those of our own packages that the previous release does not have."""


def faults_of_clone() -> list[str]:
    """What is wrong with the migrations of this clone."""
    released = released_migrations()
    faults = [f"{path}: {fault}" for path, fault in _changed(released)]
    past = history(released)
    for migration in past.further:
        faults += [f"{_path(migration)}: {fault}" for fault in faults_of(migration, past)]
    return faults


def history(released: Mapping[str, bytes]) -> History:
    """Loads the migrations of the clone; reads no database."""
    loader = MigrationLoader(None)
    ordered: dict[Key, None] = {}
    for leaf in sorted(loader.graph.leaf_nodes()):
        ordered.update(dict.fromkeys(loader.graph.forwards_plan(leaf)))
    further = []
    state = ProjectState(real_apps=loader.unmigrated_apps)
    for key in ordered:
        migration = loader.disk_migrations[key]
        path = _path(migration)
        if path not in released and (CLONE / path).exists():
            further.append(migration)
        else:
            migration.mutate_state(state, preserve=False)
    return History(state, further)


def last_released() -> Mapping[str, str]:
    """By application, the last migration of the previous release where there are further ones."""
    released = released_migrations()
    last = {}
    for migration in reversed(history(released).further):
        last[migration.app_label] = "zero"
        folder = _path(migration).rpartition("/")[0]
        names = sorted(Path(path).stem for path in released if path.startswith(f"{folder}/"))
        if names:
            last[migration.app_label] = names[-1]
    return last


def faults_of(migration: Migration, past: History) -> Iterator[str]:
    """What is wrong with a migration that follows the previous release."""
    state = past.released.clone()
    for earlier in past.further:
        if earlier is migration:
            break
        earlier.mutate_state(state, preserve=False)
    yield from (_still_used(migration, past.released))
    yield from Judge(migration, state).faults()


def _still_used(migration: Migration, released: ProjectState) -> Iterator[str]:
    for name in getattr(migration, "contracts", ()):
        app, model, *field = name.split(".")
        state = released.models.get((app, model))
        if state is not None and (not field or field[0] in state.fields):
            yield f"contracts {name}: the previous release still uses it"


def _changed(released: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for path, text in released.items():
        file = CLONE / path
        if not file.exists():
            yield path, "is released, and is gone"
        elif file.read_bytes() != text:
            yield path, "is released, and was changed: databases have it as it was"


def _path(migration: Migration) -> str:
    return f"{migration.__module__.replace('.', '/')}.py"
