"""Dossiers are issued, signed, read and downloaded, each by permitted keys (issue 8)."""

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.dossier.models import Dossier, DossierSignature
from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute
from payouts.evidence import File
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.exports.export_programs import (
    OTHER,
    address_of,
    dossiers_of,
    issue,
    of_customer,
    played_by_two,
    program,
    work,
)
from tests.casino_in_play import open_table
from tests.compliance.exports.exported_days import verified
from tests.payouts.disputes.dispute_scenarios import disputed, play

pytestmark = pytest.mark.django_db

PHOTO = File("screen.png", b"\x89PNG\r\n\x1a\n and what was seen")
SERVICE = ("disputes:read", "disputes:write")


@pytest.fixture
def dispute() -> Dispute:
    """p-1 disputes a bet, with a photograph; another customer has a similar bet."""
    play(played_by_two())
    return disputed(bet_number=0, files=[PHOTO], is_shared=True)


def listed(by: Program, dispute: object, query: str = "") -> Any:
    """The dossiers that a program sees, and the cursor."""
    answer = by.get(dossiers_of(dispute) + query)
    assert answer.status_code == 200, answer.content
    return json_of(answer)


def errors_of(answer: HttpResponse) -> list[tuple[Any, Any, Any]]:
    """Field, value found and value needed of each error."""
    return [
        (error["field"], error["found"], error["needed"]) for error in json_of(answer)["errors"]
    ]


class TestARequestedDossier:
    def test_waits_until_a_worker_has_signed_it(self, dispute: Dispute, key: SigningKey) -> None:
        """202 with Location and Retry-After; then the signature."""
        service = program(*SERVICE)

        answer = issue(service, dispute)

        first = json_of(answer)
        assert (answer.status_code, first["status"], first["signed_at"]) == (202, "waiting", None)
        assert answer.headers["Location"] == address_of(answer)
        assert int(answer.headers["Retry-After"]) > 0
        waiting = service.get(address_of(answer))
        assert (json_of(waiting), int(waiting.headers["Retry-After"]) > 0) == (first, True)
        work(key)
        signed = service.get(address_of(answer))
        assert "Retry-After" not in signed.headers
        dossier = json_of(signed)
        assert (dossier["status"], dossier["key_id"]) == ("signed", key.key_id)
        assert dossier["signed_at"] is not None
        assert {**dossier, "status": "waiting", "signed_at": None, "key_id": None} == first

    def test_is_recorded_as_issued_by_the_key(self, dispute: Dispute) -> None:
        """The audit record names the program."""
        issue(program(*SERVICE, owner="Desk"), dispute)

        record = AuditRecord.objects.get(action="DOSSIER_ISSUED")
        assert record.actor.startswith("Desk (key ")
        assert record.details["for"] == "customer"

    def test_is_the_latest_if_nothing_has_changed(self, dispute: Dispute) -> None:
        """200 with the existing dossier."""
        service = program(*SERVICE)
        first = issue(service, dispute)

        again = issue(service, dispute)

        assert (first.status_code, again.status_code) == (202, 200)
        assert json_of(again) == json_of(first)
        assert again.headers["Location"] == first.headers["Location"]
        assert issue(service, dispute, "outside_body").status_code == 202

    def test_is_issued_once_per_idempotency_key(self, dispute: Dispute) -> None:
        """The replayed answer is identical."""
        service = program(*SERVICE)
        answers = [issue(service, dispute, once="one call") for _ in range(2)]

        assert answers[1].headers["Idempotent-Replayed"] == "true"
        assert answers[0].content == answers[1].content
        assert answers[0].headers["Location"] == answers[1].headers["Location"]
        assert Dossier.objects.count() == 1

    @pytest.mark.parametrize("body", [{}, {"audience": "press"}, {"audience": None}])
    def test_is_for_a_reader(self, dispute: Dispute, body: object) -> None:
        """422 names the missing reader."""
        answer = program(*SERVICE).post(dossiers_of(dispute), body)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert [field for field, _found, _needed in errors_of(answer)] == ["/audience"]
        assert not Dossier.objects.exists()

    def test_is_listed_newest_first_page_by_page(self, dispute: Dispute) -> None:
        """The pages follow a cursor."""
        service = program()
        dossiers = [
            json_of(issue(service, dispute, audience)) for audience in Dossier.Audience.values
        ]

        first = listed(service, dispute, "?limit=2")
        second = listed(service, dispute, f"?limit=2&cursor={first['next']}")

        assert first["data"] + second["data"] == dossiers[::-1]
        assert second["next"] is None


class TestItsFiles:
    def test_are_not_available_until_it_is_signed(self, dispute: Dispute) -> None:
        """409 with Retry-After; unsigned documents can be read."""
        service = program(*SERVICE)
        address = address_of(issue(service, dispute))

        for name in ("download", "dossier.json", "dossier.json.p7s"):
            answer = service.get(f"{address}/{name}")
            assert (answer.status_code, slug_of(answer)) == (409, "not-signed")
            assert int(answer.headers["Retry-After"]) > 0
        assert not AuditRecord.objects.filter(action="DOSSIER_DOWNLOADED").exists()
        assert service.get(f"{address}/dossier.it.pdf").content.startswith(b"%PDF-")

    def test_come_in_one_zip_that_openssl_verifies(
        self, dispute: Dispute, key: SigningKey, tmp_path: Path
    ) -> None:
        """With the operator's certificate."""
        service = program(*SERVICE)
        answer = issue(service, dispute)
        work(key)

        whole = service.get(json_of(answer)["links"]["download"])

        assert (whole.status_code, whole.headers["Content-Type"]) == (200, "application/zip")
        assert int(whole.headers["Content-Length"]) == len(whole.content)
        assert f'filename="{dispute}-customer-' in whole.headers["Content-Disposition"]
        zipfile.ZipFile(io.BytesIO(whole.content)).extractall(tmp_path)
        paths = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
        assert {"README.txt", "dossier.it.pdf", "evidence/01-screen.png"} <= set(paths)
        content = tmp_path / "dossier.json"
        assert hashlib.sha256(content.read_bytes()).hexdigest() == json_of(answer)["sha256"]
        verified(tmp_path, content.read_bytes(), (tmp_path / "dossier.json.p7s").read_bytes())

    def test_come_one_by_one_and_are_recorded(self, dispute: Dispute, key: SigningKey) -> None:
        """Each download is recorded with the program's name."""
        service = program(*SERVICE, owner="Desk")
        answer = issue(service, dispute)
        work(key)

        given = {n: service.get(a) for n, a in json_of(answer)["links"]["files"].items()}

        assert given["dossier.json"].content.decode() == Dossier.objects.get().content
        signature = bytes(DossierSignature.objects.get().signature)
        assert given["dossier.json.p7s"].content == signature
        assert given["dossier.en.pdf"].headers["Content-Type"] == "application/pdf"
        records = AuditRecord.objects.filter(action="DOSSIER_DOWNLOADED").order_by("id")
        assert [record.details["form"] for record in records] == ["json", "p7s", "it.pdf", "en.pdf"]
        assert all(record.actor.startswith("Desk (key ") for record in records)

    def test_that_do_not_exist_are_not_found(self, dispute: Dispute) -> None:
        """404 lists the existing files."""
        service = program(*SERVICE)
        address = address_of(issue(service, dispute))

        answer = service.get(f"{address}/dossier.fr.pdf")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
        [(field, found, needed)] = errors_of(answer)
        assert (field, found) == ("path:file", "dossier.fr.pdf")
        assert "dossier.it.pdf" in needed


class TestTheRegulatorsDossier:
    def test_needs_the_scope_of_exports_too(self, dispute: Dispute) -> None:
        """It names everybody with similar bets."""
        answer = issue(program(*SERVICE), dispute, "regulator")

        assert (answer.status_code, slug_of(answer)) == (403, "scope-missing")
        assert [needed for _field, _found, needed in errors_of(answer)] == ["exports:read"]
        assert issue(program(*SERVICE, "exports:read"), dispute, "regulator").status_code == 202

    def test_is_not_found_without_that_scope(self, dispute: Dispute) -> None:
        """It is neither listed nor downloaded."""
        address = address_of(issue(program(), dispute, "regulator"))

        service = program(*SERVICE)

        answers = [service.get(address + path) for path in ("", "/download", "/dossier.it.pdf")]
        assert [answer.status_code for answer in answers] == [404, 404, 404]
        assert listed(service, dispute)["data"] == []
        assert len(listed(program(), dispute)["data"]) == 1


class TestACustomersOwnToken:
    def test_has_the_customers_own_dossier(self, dispute: Dispute, key: SigningKey) -> None:
        """It names no other customer."""
        own = of_customer("p-1")
        answer = issue(own, dispute)
        work(key)

        assert answer.status_code == 202
        dossier = own.get(f"{address_of(answer)}/dossier.json").content
        assert b"p-1" in dossier
        assert OTHER.encode() not in dossier
        assert len(listed(own, dispute)["data"]) == 1

    @pytest.mark.parametrize("reader", ["outside_body", "regulator"])
    def test_has_none_for_other_readers(self, dispute: Dispute, reader: str) -> None:
        """Other readers are refused; their dossiers are not found."""
        own, address = of_customer("p-1"), address_of(issue(program(), dispute, reader))

        answer = issue(own, dispute, reader)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        [(field, found, needed)] = errors_of(answer)
        assert (field, found) == ("/audience", reader)
        assert "customer" in needed
        assert own.get(address).status_code == 404
        assert listed(own, dispute)["data"] == []

    def test_finds_nothing_of_anothers_dispute(self, dispute: Dispute) -> None:
        """404, as for a missing dispute."""
        address = address_of(issue(program(), dispute))
        other = of_customer(OTHER)

        refused = [issue(other, dispute), issue(other, "D-9999")]
        refused += [
            other.get(path) for path in (dossiers_of(dispute), address, f"{address}/download")
        ]

        assert {answer.status_code for answer in refused} == {404}
        assert {json_of(answer)["errors"][0]["field"] for answer in refused} == {"path:dispute"}


class TestAKeyThatIsBoundToTables:
    def test_sees_the_dossiers_of_its_tables(self, dispute: Dispute) -> None:
        """The round's table is bac-1."""
        open_table("bac-2")
        here, elsewhere = program(tables=["bac-1"]), program(tables=["bac-2"])

        address = address_of(issue(here, dispute))

        assert here.get(address).status_code == 200
        assert issue(elsewhere, dispute).status_code == 404
        assert elsewhere.get(address).status_code == 404
        assert elsewhere.get(dossiers_of(dispute)).status_code == 404


class TestADossierOfAnotherDispute:
    def test_is_not_found(self, dispute: Dispute) -> None:
        """A dossier is found under its own dispute only."""
        service, other = program(), disputed(pseudonym=OTHER)
        number = json_of(issue(service, other))["id"]

        answer = service.get(f"{dossiers_of(dispute)}/{number}")

        assert answer.status_code == 404
        assert errors_of(answer)[0][:2] == ("path:dossier", number)
