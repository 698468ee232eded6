"""Bundles: signed, numbered, chained, reproducible."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from casino.embedded.server_paths import CLONE
from compliance.exports.bundle.signing import (
    VERIFY_SIGNATURE,
    MissingSigningKey,
    SigningKey,
    certificate_path,
    read_signing_key,
)
from compliance.exports.models import Bundle
from compliance.exports.registers.register import Register
from compliance.exports.scope import Snapshot, one_day
from compliance.exports.services.build_bundle import ExportInProgress, build_bundle
from compliance.exports.wire_encoder import EncodedFile
from compliance.trail.models import AuditRecord
from tests.casino_in_play import NOW, ingest, settle
from tests.compliance.exports.exported_days import (
    CLERK,
    DAY,
    cancel,
    certificate_in,
    contents,
    dealt,
    exported,
    key_in,
    type_printed,
)
from tests.documents import lines

SIGNATURE = "manifest.json.p7s"


def names(folder: Path) -> list[str]:
    """The files of a folder of bundles."""
    return sorted(path.name for path in folder.iterdir())


class TestTheSameDay:
    def test_gives_the_same_bytes_except_the_signature(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """A second export adds no bundle."""
        first = exported(tmp_path / "one", key)
        second = exported(tmp_path / "two", key)

        files, again = contents(first.path), contents(second.path)
        assert files.pop(SIGNATURE) != again.pop(SIGNATURE)
        assert files == again
        assert (first.is_new, second.is_new) == (True, False)
        assert Bundle.objects.count() == 1

    def test_is_superseded_when_its_contents_change(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """A round is voided between two exports."""
        exported(tmp_path / "out", key)
        cancel("r-1")

        second = exported(tmp_path / "out", key)

        assert (second.bundle.number, second.bundle.supersedes_id) == (2, 1)
        assert names(tmp_path / "out") == [f"sabot-00000{n}-2026-11-21.zip" for n in (1, 2)]


class TestABundle:
    def test_is_signed_so_that_openssl_verifies_it(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """By the commands of its README."""
        files = contents(exported(tmp_path / "out", key).path)
        for name in ("manifest.json", SIGNATURE):
            (tmp_path / name).write_bytes(files[name])
        shutil.copyfile(certificate_in(tmp_path), tmp_path / "operator.crt")

        printed = VERIFY_SIGNATURE.format(name="manifest.json")
        assert printed in files["README.txt"].decode()
        typed = type_printed(printed, folder=tmp_path)

        assert key.key_id in typed.splitlines()[0]
        assert typed.endswith(files["manifest.json"].decode())

    def test_names_the_one_before_by_digest(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """Numbers have no gaps."""
        first = exported(tmp_path, key)
        second = exported(tmp_path, key, game="baccarat")

        before, after = (contents(export.path)["manifest.json"] for export in (first, second))
        previous = {"number": 1, "manifest_sha256": hashlib.sha256(before).hexdigest()}
        assert json.loads(before)["previous"] is None
        assert json.loads(after)["previous"] == previous
        assert json.loads(after)["number"] == 2

    def test_is_recorded_with_its_digest(self, day: None, key: SigningKey, tmp_path: Path) -> None:
        """And with its actor."""
        bundle = exported(tmp_path, key)

        record = AuditRecord.objects.get(action="DAY_EXPORTED")
        digest = hashlib.sha256(contents(bundle.path)["manifest.json"]).hexdigest()
        assert (record.subject, record.actor) == ("bundle:1", CLERK.name)
        assert record.details["manifest_sha256"] == digest
        assert record.details["size"] == bundle.path.stat().st_size

    def test_holds_a_summary_for_people(self, day: None, key: SigningKey, tmp_path: Path) -> None:
        """As a PDF."""
        assert contents(exported(tmp_path, key).path)["summary.pdf"].startswith(b"%PDF-")

    def test_has_the_files_of_a_wire_encoder(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """A regulator's format can be added."""
        path = build_bundle(
            of=one_day(DAY),
            folder=tmp_path,
            key=key,
            database="default",
            at=NOW,
            actor=CLERK,
            wire=StageCounter(),
        ).path

        assert contents(path)["wire/stages.bin"] == b"\x00\x00\x00\x04"


class StageCounter:
    """A toy encoder: the number of stages, big-endian."""

    name = "toy/1"

    def files(self, snapshot: Snapshot, registers: Sequence[Register], /) -> Iterator[EncodedFile]:
        """Returns one file."""
        [stages] = [register for register in registers if register.key == "stages"]
        [(count,)] = snapshot.rows(f"SELECT count(*) FROM ({stages.query}) AS line")
        yield EncodedFile("stages.bin", [count.to_bytes(4)])


class TestAnExportThatEndsInTheMiddle:
    def test_leaves_nothing_but_what_the_next_one_removes(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """An incomplete file is removed by the next export."""
        half = tmp_path / "out" / ".unfinished"
        half.mkdir(parents=True)
        (half / "bundle").write_bytes(b"PK")
        (half / "sabot-000009-2026-11-21.zip").write_bytes(b"PK")

        exported(tmp_path / "out", key)

        assert names(tmp_path / "out") == ["sabot-000001-2026-11-21.zip"]

    def test_after_its_commit_is_finished_by_the_next(
        self, day: None, key: SigningKey, tmp_path: Path
    ) -> None:
        """The file is moved into place."""
        out = tmp_path / "out"
        path = exported(out, key).path
        (out / ".unfinished").mkdir()
        path.rename(out / ".unfinished" / path.name)

        exported(out, key, game="baccarat")

        assert names(out) == [
            "sabot-000001-2026-11-21.zip",
            "sabot-000002-2026-11-21-baccarat.zip",
        ]

    @pytest.mark.slow
    def test_by_kill_9_does_not_matter(
        self, day: None, key: SigningKey, fresh_casino: str, tmp_path: Path
    ) -> None:
        """Killed at four moments, then completed: one bundle."""
        out = tmp_path / "out"
        for seconds in (0.0, 0.1, 0.3, 0.6):
            running = start_export(out, tmp_path)
            wait_for(out / ".unfinished", running)
            time.sleep(seconds)
            running.kill()
            running.wait()

        assert start_export(out, tmp_path).wait() == 0
        assert names(out) == ["sabot-000001-2026-11-21.zip"]
        assert [bundle.number for bundle in Bundle.objects.all()] == [1]


def start_export(out: Path, folder: Path) -> subprocess.Popen[bytes]:
    """The command, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "export_day", str(DAY), "--out", str(out)],
        cwd=CLONE,
        env={**os.environ, "SABOT_EXPORT_KEY": str(folder / "export.key")},
        stdout=subprocess.DEVNULL,
    )


def wait_for(path: Path, running: subprocess.Popen[bytes]) -> None:
    """Waits until the path exists or the process ends."""
    while not path.exists() and running.poll() is None:
        time.sleep(0.005)


class TestTwoExportsAtOnce:
    def test_are_refused(
        self, day: None, key: SigningKey, fresh_casino: str, tmp_path: Path
    ) -> None:
        """The second one fails."""
        with psycopg.connect(fresh_casino) as other:
            other.execute("SELECT pg_advisory_lock(hashtextextended('build exports', 0))")
            with pytest.raises(ExportInProgress):
                exported(tmp_path, key)
        connection.close()


class TestTheCommands:
    def test_make_a_key_and_export_with_it(
        self, day: None, tmp_path: Path, settings: object
    ) -> None:
        """The key file has mode 0600."""
        path = tmp_path / "keys" / "export.key"
        settings.EXPORT_KEY = str(path)  # type: ignore[attr-defined]
        output = StringIO()

        call_command("make_export_key", "Casino di prova", stdout=output)
        call_command("export_day", "2026-11-21", "--out", str(tmp_path / "out"), stdout=output)

        assert path.stat().st_mode & 0o777 == 0o600
        assert certificate_path(path).stat().st_mode & 0o777 == 0o644
        assert f"made bundle 1: {tmp_path}/out/sabot-000001-2026-11-21.zip" in output.getvalue()

    def test_never_write_over_a_key(
        self, key: SigningKey, tmp_path: Path, settings: object
    ) -> None:
        """Its signatures have to stay verifiable."""
        settings.EXPORT_KEY = str(tmp_path / "export.key")  # type: ignore[attr-defined]

        with pytest.raises(CommandError, match="is not overwritten"):
            call_command("make_export_key", "Casino di prova")


class TestAKey:
    def test_that_others_may_read_is_refused(self, key: SigningKey, tmp_path: Path) -> None:
        """Mode 0640."""
        (tmp_path / "export.key").chmod(0o640)

        with pytest.raises(MissingSigningKey, match="open to others"):
            read_signing_key(tmp_path / "export.key")

    def test_with_the_certificate_of_another_is_refused(
        self, key: SigningKey, tmp_path: Path
    ) -> None:
        """Its signatures could not be verified."""
        key_in(tmp_path, "other")
        (tmp_path / "other.crt").replace(tmp_path / "export.crt")

        with pytest.raises(MissingSigningKey, match="the certificate of another key"):
            read_signing_key(tmp_path / "export.key")


class TestALateRound:
    def test_changes_no_reported_number(self, day: None, key: SigningKey, tmp_path: Path) -> None:
        """The day keeps its four stages although a later round arrives first."""
        ingest(lines(dealt("r-5", 10, hour=23)))
        settle()

        files = contents(exported(tmp_path, key).path)

        assert files["registers/stages.csv"].count(b"\n") == 1 + 4
