"""Bundles by the API: listed, told, taken away once two persons have signed (issue 8)."""

import hashlib
import io
import zipfile
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle
from compliance.exports.services.bundle_steps import (
    answer_bundle,
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from compliance.exports.standing import Stage
from compliance.trail.models import AuditRecord
from payouts.services.decide_case import Letter
from tests.casino_in_play import NOW, open_table
from tests.exports.api.readers import approve, program
from tests.exports.closings import told_by
from tests.exports.days import exported
from tests.payouts.api.calling import Program, slug_of, told
from tests.payouts.api.studio import whole
from tests.payouts.two import GIULIA, LORENZO

EXPORTS: Final = "/api/v1/exports"
ONE: Final = f"{EXPORTS}/1"
READ: Final = "exports:read"


def made(number: int, day: int = 21, **of: Any) -> Bundle:  # noqa: ANN401  of the scope
    """A bundle as its export records it, without its file."""
    return Bundle.objects.create(
        number=number,
        day=date(2026, 11, day),
        **{
            "manifest_digest": bytes([number] * 32),
            "previous_digest": None if number == 1 else bytes([number - 1] * 32),
            "path": f"bundle-{number}.zip",
            "size": 1,
            "built_at": NOW,
            **of,
        },
    )


def listed(by: Program, query: str = "") -> Any:  # noqa: ANN401  JSON
    """The list, as it is answered."""
    answer = by.get(EXPORTS + query)
    assert answer.status_code == 200, answer.content
    return told(answer)


def numbers(by: Program, query: str = "") -> list[int]:
    """The bundles of the first page."""
    return [one["id"] for one in listed(by, query)["data"]]


def taken() -> list[str]:
    """What is on record as taken away."""
    records = AuditRecord.objects.filter(action="BUNDLE_DOWNLOADED").order_by("id")
    return [one.details["file"] for one in records]


@pytest.mark.django_db
class TestTheList:
    def test_tells_what_each_is_of_and_how_far_it_has_come(self) -> None:
        """And the digests by which it is chained."""
        made(1)
        made(2, 22, first_day=date(2026, 11, 20), table="bac-1", supersedes_id=1)
        approve(2)

        second, first = listed(program(READ))["data"]

        assert (first["id"], first["status"], first["superseded_by"]) == (1, "built", 2)
        assert (first["first_day"], first["last_day"]) == ("2026-11-21", "2026-11-21")
        assert (first["table"], first["game"], first["customer"]) == (None, None, None)
        assert first["previous_sha256"] is None
        assert (second["status"], second["supersedes"], second["table"]) == ("approved", 1, "bac-1")
        assert (second["first_day"], second["last_day"]) == ("2026-11-20", "2026-11-22")
        assert second["previous_sha256"] == first["manifest_sha256"] == "01" * 32
        assert second["links"]["self"] == f"{EXPORTS}/2"

    def test_comes_page_by_page(self) -> None:
        """Newest first, by a signed cursor; one that is made meanwhile changes nothing."""
        for number in (1, 2, 3):
            made(number)
        reader = program(READ)

        first = listed(reader, "?limit=2")
        made(4)
        second = listed(reader, f"?limit=2&cursor={first['next']}")

        assert [one["id"] for one in first["data"] + second["data"]] == [3, 2, 1]
        assert second["next"] is None

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?from=2026-11-22", [3, 2]),
            ("?to=2026-11-20", [3]),
            ("?from=2026-11-21&to=2026-11-21", [3, 1]),
            ("?contents=reports", [2]),
            ("?from=2026-11-23", []),
        ],
    )
    def test_is_of_days_and_contents(self, query: str, found: list[int]) -> None:
        """1 is of the 21st, 2 of the 22nd, 3 of the 20th to the 22nd."""
        made(1)
        made(2, 22, contents="reports")
        made(3, 22, first_day=date(2026, 11, 20))

        assert numbers(program(READ), query) == found

    def test_is_of_those_that_stand_somewhere(self) -> None:
        """Each is in the list of its status and in no other."""
        letter = Letter("PEC 12/2026", date(2026, 11, 22), "No day 21 in it.")
        for number in range(1, 8):
            made(number)
        sign_bundle(number=2, seen=0, at=NOW, actor=GIULIA)
        for number in (3, 4, 5, 6):
            approve(number)
        for number in (4, 5, 6):
            send_bundle(number=number, seen=2, letter=letter, at=NOW, actor=GIULIA)
        for number, is_received in ((5, True), (6, False)):
            answer_bundle(
                number=number,
                seen=3,
                is_received=is_received,
                letter=letter,
                at=NOW,
                actor=GIULIA,
            )
        set_bundle_aside(number=7, seen=0, note="Made twice.", at=NOW, actor=GIULIA)
        reader = program(READ)

        found = {stage: numbers(reader, f"?status={stage}") for stage in Stage}

        assert found == {stage: [number] for number, stage in enumerate(Stage, start=1)}

    @pytest.mark.parametrize(
        "query", ["?from=tomorrow", "?contents=all", "?status=lost", "?state=sent"]
    )
    def test_refuses_what_it_does_not_know(self, query: str) -> None:
        """No typo widens a list."""
        answer = program(READ).get(EXPORTS + query)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")

    def test_has_for_a_key_of_tables_the_extracts_of_those(self) -> None:
        """A day's registers are of all tables."""
        open_table("bac-1")
        open_table("bac-2")
        made(1)
        made(2, table="bac-1")
        made(3, table="bac-2")
        bound = program(READ, tables=["bac-1"])

        assert numbers(bound) == [2]
        assert [bound.get(f"{EXPORTS}/{one}").status_code for one in (1, 2, 3)] == [404, 200, 404]
        assert bound.get(f"{ONE}/download").status_code == 404


@pytest.mark.django_db
class TestABundle:
    def test_tells_who_did_what_about_it(self, settings: Settings, tmp_path: Path) -> None:
        """Step by step."""
        settings.EXPORTS_FOLDER = str(tmp_path)
        made(1)
        approve()
        letter = Letter("PEC 12/2026", date(2026, 11, 22), "")
        send_bundle(number=1, seen=2, letter=letter, at=NOW, actor=LORENZO)

        found = told(program(READ).get(ONE))

        assert found["status"] == "sent"
        assert [one["action"] for one in found["steps"]] == ["signed", "signed", "sent"]
        assert [one["actor"] for one in found["steps"][:2]] == [GIULIA.name, LORENZO.name]
        assert (found["steps"][2]["reference"], found["steps"][2]["on_day"]) == (
            "PEC 12/2026",
            "2026-11-22",
        )
        assert (found["file"], found["files"]) == ("missing", [])

    def test_stays_until_two_have_signed(self) -> None:
        """409 says where it stands and where it has to; what is set aside stays for ever."""
        made(1)
        reader = program(READ)
        found = []

        for step in (None, sign_bundle, set_bundle_aside):
            if step is not None:
                seen = 0 if step is sign_bundle else 1
                step(number=1, seen=seen, note="looked", at=NOW, actor=GIULIA)
            answers = [reader.get(f"{ONE}/{one}") for one in ("download", "files/summary.pdf")]
            assert [(one.status_code, slug_of(one)) for one in answers] == [
                (409, "not-approved")
            ] * 2
            found.append(told(answers[0])["errors"][0]["found"])

        assert found == ["built", "signed", "set_aside"]
        assert taken() == []

    def test_stays_where_its_file_is_lost(self, settings: Settings, tmp_path: Path) -> None:
        """409, also where it is another file than the one that was made."""
        settings.EXPORTS_FOLDER = str(tmp_path)
        made(1)
        approve()
        reader = program(READ)

        answers = [reader.get(f"{ONE}/download")]
        (tmp_path / "bundle-1.zip").write_bytes(b"another")
        answers.append(reader.get(f"{ONE}/download"))

        assert [slug_of(one) for one in answers] == ["file-lost", "file-lost"]
        assert [told(one)["errors"][0]["found"] for one in answers] == ["missing", "changed"]

    def test_is_not_there_where_there_is_none(self) -> None:
        """404 names the place."""
        answer = program(READ).get(f"{EXPORTS}/7")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        assert told(answer)["errors"][0]["field"] == "path:export"


@pytest.fixture
def bundle(day: None, key: SigningKey, settings: Settings, tmp_path: Path) -> Path:
    """The file of a played day's bundle, which two persons have signed."""
    settings.EXPORTS_FOLDER = str(tmp_path / "out")
    found = exported(tmp_path / "out", key).path
    approve()
    return found


def downloaded(by: Program, **headers: str) -> HttpResponse:
    """The bundle, or what is answered instead."""
    return whole(by.get(f"{ONE}/download", **headers))


class TestItsFile:
    def test_is_given_whole_and_verifies_itself(self, bundle: Path, tmp_path: Path) -> None:
        """As it lies there; who took it is on record."""
        reader = program(READ, owner="Authority")

        answer = downloaded(reader)

        assert answer.headers["Content-Type"] == "application/zip"
        assert int(answer.headers["Content-Length"]) == len(answer.content)
        assert answer.content == bundle.read_bytes()
        again = tmp_path / "again.zip"
        again.write_bytes(answer.content)
        said = told_by(again, tmp_path)
        assert "The seal fits" in said
        assert "is signed by the key" in said
        record = AuditRecord.objects.get(action="BUNDLE_DOWNLOADED")
        assert (record.subject, record.details) == ("bundle:1", {"file": bundle.name})
        assert record.actor.startswith("Authority (key ")

    def test_goes_on_where_it_broke_off(self, bundle: Path) -> None:
        """Range, with the tag of what was begun; each part is on record."""
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
        """As download managers ask, to find out whether they may ask for parts."""
        content = bundle.read_bytes()
        at = place % len(content)
        asked = "bytes=-1" if place < 0 else f"bytes={at}-{at}"

        answer = downloaded(program(READ), Range=asked)

        assert (answer.status_code, answer.content) == (206, content[at : at + 1])
        assert answer.headers["Content-Range"] == f"bytes {at}-{at}/{len(content)}"
        assert answer.headers["Content-Length"] == "1"

    def test_is_not_sent_to_whoever_has_it(self, bundle: Path) -> None:
        """304, and nothing is on record as taken."""
        reader = program(READ)
        tag = downloaded(reader).headers["ETag"]

        answer = downloaded(reader, If_None_Match=tag)

        assert (answer.status_code, answer.content) == (304, b"")
        assert taken() == [bundle.name]

    def test_comes_file_by_file(self, bundle: Path) -> None:
        """Each as the list says that it is, manifest and signature too."""
        reader = program(READ)
        files = told(reader.get(ONE))["files"]
        inside = zipfile.ZipFile(io.BytesIO(bundle.read_bytes()))
        assert sorted(one["name"] for one in files) == sorted(inside.namelist())

        for one in files:
            answer = whole(reader.get(one["link"]))
            assert answer.content == inside.read(one["name"])
            assert int(answer.headers["Content-Length"]) == one["bytes"] == len(answer.content)
            assert hashlib.sha256(answer.content).hexdigest() == one["sha256"]
            assert answer.headers["ETag"] == f'"{one["sha256"]}"'

        assert taken() == [f"{bundle.name}/{one['name']}" for one in files]
        known = reader.get(files[0]["link"], If_None_Match=f'"{files[0]["sha256"]}"')
        assert known.status_code == 304
        assert len(taken()) == len(files)

    def test_has_no_file_beside_those(self, bundle: Path) -> None:
        """404 names those that there are; no path leads out of it."""
        reader = program(READ)

        for name in ("registers/none.csv", "../out/x.zip", "%2e%2e/export.key"):
            answer = reader.get(f"{ONE}/files/{name}")
            assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        assert taken() == []
