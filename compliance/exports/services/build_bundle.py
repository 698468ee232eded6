"""Builds a bundle: registers of gaming days, signed, numbered and chained.

The registers are written to a work folder from one snapshot. Number and previous digest are added
last, and the bundle is recorded in a transaction. The file is moved into place after the commit; if
the process dies in between, the next export moves it, and removes other unfinished files. A file of
the same name, whose bundle a restored database has lost, is kept under another one.
"""

import hashlib
import shutil
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db import transaction

from compliance.exports.bundle.archive import Archive
from compliance.exports.bundle.closing_proofs import proofs_of_closing
from compliance.exports.bundle.contents import Progress, WrittenContents, json_file, write_contents
from compliance.exports.bundle.control_totals import utc_text
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.bundle.software import software
from compliance.exports.models import Bundle, SumTree
from compliance.exports.scope import Scope, snapshot
from compliance.exports.wire_encoder import WireEncoder
from compliance.signatures.signature_verifier import signed_actions
from compliance.storage.advisory_locks import session_lock
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.sandbox import sandbox_member

_UNFINISHED: Final = ".unfinished"
_DAYS: Final = ("first_day", "last_day")


class ExportInProgress(Exception):
    """Another export is running; nothing was done."""


class Exported(NamedTuple):
    """The bundle of the scope, and whether it is new."""

    bundle: Bundle
    path: Path
    is_new: bool


def build_bundle(
    *,
    of: Scope,
    folder: Path,
    key: SigningKey,
    database: str,
    at: datetime,
    actor: Actor,
    wire: WireEncoder | None = None,
    progress: Progress = lambda _part: None,
) -> Exported:
    """Builds the bundle of a scope below ``folder``. Not callable inside a transaction.

    If the contents equal those of the latest bundle of the scope, that bundle is returned, and its
    file restored if missing. ``database`` is the alias to read from; ``progress`` is called with
    the written fraction. Raises ExportInProgress, DaysDetached, and NotInLog if the closing of a
    day is not in the log yet.
    """
    with session_lock("build exports") as is_ours:
        if not is_ours:
            raise ExportInProgress("found another export under way; needed to be the only one")
        unfinished = _clean_work_folder(folder)
        work = unfinished / "bundle"
        with Archive(work) as archive:
            with snapshot(of, database=database) as view:
                proofs = proofs_of_closing(view)
                contents = write_contents(
                    archive, view, work=unfinished, proofs=proofs, wire=wire, progress=progress
                )
            bundle, is_new = _finish(archive, contents, of=of, key=key, at=at, actor=actor)
        path = folder / bundle.path
        _record(bundle, contents.trees, work, path, is_new=is_new)
        return Exported(bundle, path, is_new)


def _finish(
    archive: Archive,
    contents: WrittenContents,
    *,
    of: Scope,
    key: SigningKey,
    at: datetime,
    actor: Actor,
) -> tuple[Bundle, bool]:
    """Adds manifest and signature; returns the bundle, stored or new."""
    manifest_base = _manifest_base(contents, of=of, key=key)
    latest = Bundle.objects.order_by("-number").first()
    same = Bundle.objects.filter(**_columns(of)).order_by("-number").first()
    if same is not None:
        position = _place(same.number, _previous(same), same.supersedes_id)
        manifest = json_file(manifest_base | position)
        if hashlib.sha256(manifest).digest() == bytes(same.manifest_digest):
            _add_manifest(archive, manifest, key)
            return same, False
    number = 1 if latest is None else latest.number + 1
    supersedes = None if same is None else same.number
    manifest = json_file(manifest_base | _place(number, latest, supersedes))
    _add_manifest(archive, manifest, key)
    return (
        Bundle(
            number=number,
            **_columns(of),
            kind=Bundle.Kind.CLOSED_DAY if contents.is_closed else Bundle.Kind.OPEN_DAY,
            supersedes_id=supersedes,
            manifest_digest=hashlib.sha256(manifest).digest(),
            previous_digest=None if latest is None else bytes(latest.manifest_digest),
            path=f"sabot-{number:06}-{of.name}.zip",
            built_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        ),
        True,
    )


def _record(bundle: Bundle, trees: list[SumTree], work: Path, path: Path, *, is_new: bool) -> None:
    """Stores and records the bundle, then moves the file into place."""
    finished = work.with_name(path.name)
    work.replace(finished)
    if is_new:
        _set_aside(path)
        bundle.size = finished.stat().st_size
        actor = Actor(bundle.actor, bundle.actor_user_id)
        with transaction.atomic():
            bundle.save(force_insert=True)
            new = [tree for tree in trees if tree._state.adding]  # noqa: SLF001  documented
            SumTree.objects.bulk_create(new)
            record_entries([_entry(bundle, trees)], at=bundle.built_at, actor=actor)
    if is_new or not path.exists():
        finished.replace(path)
    shutil.rmtree(finished.parent)


def _set_aside(path: Path) -> None:
    """Renames a bundle of this name that a restored database has lost: it may have been sent."""
    if path.exists():
        names = (path.with_stem(f"{path.stem}-lost-{number}") for number in count(1))
        path.rename(next(name for name in names if not name.exists()))


def _entry(bundle: Bundle, trees: list[SumTree]) -> Entry:
    details = {
        "of": bundle.scope.to_json(),
        "kind": bundle.kind,
        "manifest_sha256": bytes(bundle.manifest_digest).hex(),
        "supersedes": bundle.supersedes_id,
        "size": bundle.size,
        **({"totals": _totals(trees)} if trees else {}),
    }
    action = "DAY_EXPORTED" if bundle.scope.is_gaming_day else "EXTRACT_EXPORTED"
    return Entry(action, f"bundle:{bundle.number}", details)


def _totals(trees: list[SumTree]) -> dict[str, Any]:
    """The sum trees by game."""
    return {tree.game: tree.to_json() for tree in trees}


def _columns(of: Scope) -> dict[str, Any]:
    """The model fields of a scope."""
    days = {"day": of.last_day, "first_day": None if of.first_day == of.last_day else of.first_day}
    filters = {name: value for name, value in of._asdict().items() if name not in _DAYS}
    return filters | days


def _manifest_base(contents: WrittenContents, *, of: Scope, key: SigningKey) -> dict[str, Any]:
    """The manifest without its position in the chain; it has no creation time."""
    times = [
        at
        for control in contents.controls.values()
        for at in (control.first_at, control.last_at)
        if at
    ]
    return {
        "format": "sabot-bundle/2",
        **sandbox_member(),
        "signed_actions": sorted(signed_actions()),
        "of": of.to_json(),
        "closed": contents.is_closed,
        "files": contents.files,
        "rule_sets": contents.rule_sets,
        "totals": _totals(contents.trees),
        "first_at": utc_text(min(times, default=None)),
        "last_at": utc_text(max(times, default=None)),
        "software": software()._asdict(),
        "key_id": key.key_id,
    }


def _place(number: int, before: Bundle | None, supersedes: int | None) -> dict[str, Any]:
    previous = before and {
        "number": before.number,
        "manifest_sha256": bytes(before.manifest_digest).hex(),
    }
    return {"number": number, "previous": previous, "supersedes": supersedes}


def _previous(bundle: Bundle) -> Bundle | None:
    return Bundle.objects.filter(number=bundle.number - 1).first()


def _add_manifest(archive: Archive, manifest: bytes, key: SigningKey) -> None:
    archive.add("manifest.json", [manifest], compress=False)
    archive.add("manifest.json.p7s", [key.sign(manifest)], compress=False)


def _clean_work_folder(folder: Path) -> Path:
    """Recovers and clears the work folder; returns it empty."""
    unfinished = folder / _UNFINISHED
    if unfinished.exists():
        for file in unfinished.glob("sabot-*.zip"):
            is_recorded = Bundle.objects.filter(path=file.name).exists()
            if is_recorded and not (folder / file.name).exists():
                file.replace(folder / file.name)
        shutil.rmtree(unfinished)
    unfinished.mkdir(parents=True)
    return unfinished
