"""Bundles are read, and downloaded after two people have signed (issue 8)."""

import hashlib
import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.services.bundle_steps import (
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from compliance.trail.models import AuditRecord
from payouts.regulator_letters import Letter
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.exports.export_programs import EXPORTS, ONE, READ, approve, made, program
from tests.casino.api.studio import whole
from tests.casino_in_play import NOW
from tests.compliance.exports.day_closings import verifier_output
from tests.compliance.exports.exported_days import exported
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO


def taken() -> list[str]:
    """The recorded downloads."""
    records = AuditRecord.objects.filter(action="BUNDLE_DOWNLOADED").order_by("id")
    return [record.details["file"] for record in records]


@pytest.mark.django_db
class TestABundle:
    def test_lists_its_steps(self, settings: Settings, tmp_path: Path) -> None:
        """Each step has its action and its actor."""
        settings.EXPORTS_FOLDER = str(tmp_path)
        made(1)
        approve()
        letter = Letter("PEC 12/2026", date(2026, 11, 22), "")
        send_bundle(number=1, seen=2, letter=letter, at=NOW, actor=LORENZO)

        export = json_of(program(READ).get(ONE))

        assert export["status"] == "sent"
        assert [step["action"] for step in export["steps"]] == ["signed", "signed", "sent"]
        assert [step["actor"] for step in export["steps"][:2]] == [GIULIA.name, LORENZO.name]
        assert (export["steps"][2]["reference"], export["steps"][2]["on_day"]) == (
            "PEC 12/2026",
            "2026-11-22",
        )
        assert (export["file"], export["files"]) == ("missing", [])

    def test_is_not_downloaded_before_two_signatures(self) -> None:
        """409 with the status found and needed; bundles set aside stay refused."""
        made(1)
        reader = program(READ)
        names = []

        for step in (None, sign_bundle, set_bundle_aside):
            if step is not None:
                seen = 0 if step is sign_bundle else 1
                step(number=1, seen=seen, note="looked", at=NOW, actor=GIULIA)
            answers = [reader.get(f"{ONE}/{path}") for path in ("download", "files/summary.pdf")]
            assert [(answer.status_code, slug_of(answer)) for answer in answers] == [
                (409, "not-approved")
            ] * 2
            names.append(json_of(answers[0])["errors"][0]["found"])

        assert names == ["built", "signed", "set_aside"]
        assert taken() == []

    def test_with_a_lost_file_is_not_downloaded(self, settings: Settings, tmp_path: Path) -> None:
        """409 for a missing file and for a changed one."""
        settings.EXPORTS_FOLDER = str(tmp_path)
        made(1)
        approve()
        reader = program(READ)

        answers = [reader.get(f"{ONE}/download")]
        (tmp_path / "bundle-1.zip").write_bytes(b"another")
        answers.append(reader.get(f"{ONE}/download"))

        assert [answer.status_code for answer in answers] == [409, 409]
        assert [slug_of(answer) for answer in answers] == ["file-lost", "file-lost"]
        assert [json_of(answer)["errors"][0]["found"] for answer in answers] == [
            "missing",
            "changed",
        ]

    def test_that_does_not_exist_is_not_found(self) -> None:
        """404 names the path parameter."""
        answer = program(READ).get(f"{EXPORTS}/7")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        assert json_of(answer)["errors"][0]["field"] == "path:export"


@pytest.fixture
def bundle(day: None, key: SigningKey, settings: Settings, tmp_path: Path) -> Path:
    """The file of a day's bundle with two signatures."""
    settings.EXPORTS_FOLDER = str(tmp_path / "out")
    exported_path = exported(tmp_path / "out", key).path
    approve()
    return exported_path


def downloaded(by: Program, **headers: str) -> HttpResponse:
    """The answer to a download of the bundle."""
    return whole(by.get(f"{ONE}/download", **headers))


class TestItsFile:
    def test_is_given_whole_and_verifies_itself(self, bundle: Path, tmp_path: Path) -> None:
        """The download equals the file and is recorded."""
        reader = program(READ, owner="Authority")

        answer = downloaded(reader)

        assert answer.headers["Content-Type"] == "application/zip"
        assert int(answer.headers["Content-Length"]) == len(answer.content)
        assert answer.content == bundle.read_bytes()
        again = tmp_path / "again.zip"
        again.write_bytes(answer.content)
        verified = verifier_output(again, tmp_path)
        assert "The seal matches" in verified
        assert "is signed by the key" in verified
        record = AuditRecord.objects.get(action="BUNDLE_DOWNLOADED")
        assert (record.subject, record.details) == ("bundle:1", {"file": bundle.name})
        assert record.actor.startswith("Authority (key ")

    def test_supports_ranges(self, bundle: Path) -> None:
        """With If-Range; each part is recorded."""
        reader, content = program(READ), bundle.read_bytes()
        tag = downloaded(reader).headers["ETag"]
        assert tag == f'"{content[-64:].decode()}"'

        rest = downloaded(reader, Range="bytes=1000-", If_Range=tag)
        other = downloaded(reader, Range="bytes=1000-", If_Range='"another"')
        behind = downloaded(reader, Range=f"bytes={len(content)}-")

        assert (rest.status_code, rest.content) == (206, content[1000:])
        last = len(content) - 1
        assert rest.headers["Content-Range"] == f"bytes 1000-{last}/{len(content)}"
        assert (other.status_code, other.content) == (200, content)
        assert (behind.status_code, slug_of(behind)) == (416, "no-such-range")
        assert behind.headers["Content-Range"] == f"bytes */{len(content)}"
        part = f"{bundle.name} (bytes 1000-{last}/{len(content)})"
        assert taken() == [bundle.name, part, bundle.name]

    @pytest.mark.parametrize("place", [0, 1000, -1])
    def test_gives_a_part_of_one_octet(self, bundle: Path, place: int) -> None:
        """Download managers probe for range support with a single octet."""
        content = bundle.read_bytes()
        at = place % len(content)
        requested = "bytes=-1" if place < 0 else f"bytes={at}-{at}"

        answer = downloaded(program(READ), Range=requested)

        assert (answer.status_code, answer.content) == (206, content[at : at + 1])
        assert answer.headers["Content-Range"] == f"bytes {at}-{at}/{len(content)}"
        assert answer.headers["Content-Length"] == "1"

    def test_is_not_modified_for_its_etag(self, bundle: Path) -> None:
        """304 is not recorded as a download."""
        reader = program(READ)
        tag = downloaded(reader).headers["ETag"]

        answer = downloaded(reader, If_None_Match=tag)

        assert (answer.status_code, answer.content) == (304, b"")
        assert taken() == [bundle.name]

    @pytest.mark.slow
    def test_comes_file_by_file(self, bundle: Path) -> None:
        """Each file matches its listed digest."""
        reader = program(READ)
        files = json_of(reader.get(ONE))["files"]
        inside = zipfile.ZipFile(io.BytesIO(bundle.read_bytes()))
        assert sorted(file["name"] for file in files) == sorted(inside.namelist())

        for file in files:
            answer = whole(reader.get(file["link"]))
            assert answer.content == inside.read(file["name"])
            assert int(answer.headers["Content-Length"]) == file["bytes"] == len(answer.content)
            assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
            assert answer.headers["ETag"] == f'"{file["sha256"]}"'

        assert taken() == [f"{bundle.name}/{file['name']}" for file in files]
        known = reader.get(files[0]["link"], If_None_Match=f'"{files[0]["sha256"]}"')
        assert known.status_code == 304
        assert len(taken()) == len(files)

    def test_has_no_other_files(self, bundle: Path) -> None:
        """404 lists the files; paths cannot leave the bundle."""
        reader = program(READ)

        for name in ("registers/none.csv", "../out/x.zip", "%2e%2e/export.key"):
            answer = reader.get(f"{ONE}/files/{name}")
            assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        assert taken() == []
