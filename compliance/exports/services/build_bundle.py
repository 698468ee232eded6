"""Building a bundle: registers of gaming days, signed, numbered, chained to the one before.

What can be read is read first, in one snapshot, into a file in a folder of unfinished ones. Number
and digest of the bundle before come last, in the transaction that records the bundle. The file gets
its place once that is committed; if the process dies in between, the next export puts it there, and
clears away whatever else was left unfinished.
"""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db import connection, transaction

from compliance.exports.bundle.archive import Archive
from compliance.exports.bundle.closing import proofs_of_closing
from compliance.exports.bundle.contents import Progress, Told, json_file, write_contents
from compliance.exports.bundle.control import told_moment
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.bundle.software import software
from compliance.exports.encoder import WireEncoder
from compliance.exports.models import Bundle
from compliance.exports.scope import Scope, snapshot
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries

_UNFINISHED: Final = ".unfinished"
_DAYS: Final = ("first_day", "last_day")
_LOCK: Final = 0x5AB07E9
"""Of PostgreSQL's advisory locks: one export at a time."""


class ExportUnderWay(Exception):
    """Somebody else is exporting; nothing was done."""


class Exported(NamedTuple):
    """The bundle of the scope, and whether it is a new one."""

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
    """Makes the bundle of a scope below ``folder``; not inside of a transaction.

    A scope that tells what its latest bundle told gets no further one: the file is made anew with
    the same number where it is missing. ``database`` is the alias to read from; ``progress`` is
    told what part of the registers is written. Raises ExportUnderWay, and NotInLog where a day was
    closed a moment ago.
    """
    with _only_exporter():
        unfinished = _tidied(folder)
        work = unfinished / "bundle"
        with Archive(work) as archive:
            with snapshot(of, database=database) as seen:
                proofs = proofs_of_closing(seen)
                told = write_contents(
                    archive, seen, work=unfinished, proofs=proofs, wire=wire, progress=progress
                )
            bundle, is_new = _finish(archive, told, of=of, key=key, at=at, actor=actor)
        path = folder / bundle.path
        _record(bundle, work, path, is_new=is_new)
        return Exported(bundle, path, is_new)


def _finish(
    archive: Archive, told: Told, *, of: Scope, key: SigningKey, at: datetime, actor: Actor
) -> tuple[Bundle, bool]:
    """Adds manifest and signature; gives the bundle that it is, which is stored or not."""
    said = _said(told, of=of, key=key)
    latest = Bundle.objects.order_by("-number").first()
    same = Bundle.objects.filter(**_columns(of)).order_by("-number").first()
    if same is not None:
        manifest = json_file(said | _place(same.number, _before(same), same.supersedes_id))
        if hashlib.sha256(manifest).digest() == bytes(same.manifest_digest):
            _add_manifest(archive, manifest, key)
            return same, False
    number = 1 if latest is None else latest.number + 1
    supersedes = None if same is None else same.number
    manifest = json_file(said | _place(number, latest, supersedes))
    _add_manifest(archive, manifest, key)
    return (
        Bundle(
            number=number,
            **_columns(of),
            kind=Bundle.Kind.CLOSED_DAY if told.is_closed else Bundle.Kind.OPEN_DAY,
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


def _record(bundle: Bundle, work: Path, path: Path, *, is_new: bool) -> None:
    """The bundle into the database and the trail, then the file to its place."""
    finished = work.with_name(path.name)
    work.replace(finished)
    if is_new:
        bundle.size = finished.stat().st_size
        actor = Actor(bundle.actor, bundle.actor_user_id)
        with transaction.atomic():
            bundle.save(force_insert=True)
            record_entries([_entry(bundle)], at=bundle.built_at, actor=actor)
    if is_new or not path.exists():
        finished.replace(path)
    shutil.rmtree(finished.parent)


def _entry(bundle: Bundle) -> Entry:
    details = {
        "of": bundle.scope.told(),
        "kind": bundle.kind,
        "manifest_sha256": bytes(bundle.manifest_digest).hex(),
        "supersedes": bundle.supersedes_id,
        "size": bundle.size,
    }
    action = "DAY_EXPORTED" if bundle.scope.is_gaming_day else "EXTRACT_EXPORTED"
    return Entry(action, f"bundle:{bundle.number}", details)


def _columns(of: Scope) -> dict[str, Any]:
    """A scope as bundles are stored by it."""
    days = {"day": of.last_day, "first_day": None if of.first_day == of.last_day else of.first_day}
    some = {name: value for name, value in of._asdict().items() if name not in _DAYS}
    return some | days


def _said(told: Told, *, of: Scope, key: SigningKey) -> dict[str, Any]:
    """The manifest without its place in the chain; it holds no time of its own making."""
    times = [at for one in told.controls.values() for at in (one.first_at, one.last_at) if at]
    return {
        "format": "sabot-bundle/1",
        "of": of.told(),
        "closed": told.is_closed,
        "files": told.files,
        "rule_sets": told.rule_sets,
        "first_at": told_moment(min(times, default=None)),
        "last_at": told_moment(max(times, default=None)),
        "software": software()._asdict(),
        "key_id": key.key_id,
    }


def _place(number: int, before: Bundle | None, supersedes: int | None) -> dict[str, Any]:
    previous = before and {
        "number": before.number,
        "manifest_sha256": bytes(before.manifest_digest).hex(),
    }
    return {"number": number, "previous": previous, "supersedes": supersedes}


def _before(bundle: Bundle) -> Bundle | None:
    return Bundle.objects.filter(number=bundle.number - 1).first()


def _add_manifest(archive: Archive, manifest: bytes, key: SigningKey) -> None:
    archive.add("manifest.json", [manifest], compress=False)
    archive.add("manifest.json.p7s", [key.sign(manifest)], compress=False)


@contextmanager
def _only_exporter() -> Iterator[None]:
    """Nobody else exports meanwhile. The lock is the connection's, and so dies with the process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        if not cursor.fetchone()[0]:
            raise ExportUnderWay("found another export under way; needed to be the only one")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def _tidied(folder: Path) -> Path:
    """An empty folder for what is unfinished, once what others left in it is put away."""
    unfinished = folder / _UNFINISHED
    if unfinished.exists():
        for left in unfinished.glob("sabot-*.zip"):
            is_recorded = Bundle.objects.filter(path=left.name).exists()
            if is_recorded and not (folder / left.name).exists():
                left.replace(folder / left.name)
        shutil.rmtree(unfinished)
    unfinished.mkdir(parents=True)
    return unfinished
