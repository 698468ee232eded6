"""Studio keys and the signature setting of tables: one person proposes, another approves."""

import pytest
from django.test import Client

from rounds.models import Round, StudioKey, Table
from rounds.signatures.requirements import latest_requirement, requires_signature_now
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import forget_confirmation, give_phone
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines
from tests.studio_signatures import Signer, base64url, ingest_signed

PAGE = "/admin/studio-keys/"


def browser(role: str) -> Client:
    """A browser of a person in this role who has given a second factor."""
    user = person(role)
    give_phone(user)
    return reader(user)


def form(**fields: object) -> dict[str, object]:
    """A filled-in proposal."""
    return {
        "studio": "Live Studio",
        "public_key": base64url(Signer().public),
        "tables": ["bac-1"],
        "first_day": "2026-11-01",
        "last_day": "2028-10-31",
        "reason": "the studio's first key",
        **fields,
    }


@pytest.fixture(autouse=True)
def table(db: None) -> Table:
    """The table of the key."""
    return open_table()


class TestAStudioKey:
    def test_is_registered_by_two_persons(self) -> None:
        """The proposer finds no button, and no way around it."""
        compliance, supervisor = browser("compliance"), browser("supervisor")
        assert "No studio keys yet" in plain(compliance, PAGE)
        compliance.post(f"{PAGE}new/", form())
        key = StudioKey.objects.get()
        own = f"{PAGE}{key.pk}/"
        assert "Awaiting approval" in plain(compliance, own)
        assert compliance.get(own).context["parent"]["address"] == PAGE
        assert "Approve the studio key" not in plain(compliance, own)
        compliance.post(f"{own}approve/")
        assert "Another person must approve it" in plain(compliance, own)
        assert not key.steps.exists()

        assert "Approve the studio key" in plain(supervisor, own)
        supervisor.post(f"{own}approve/")

        assert [step.action for step in key.steps.all()] == ["approved"]
        words = plain(supervisor, PAGE)
        assert f"{Signer().key_id[:8]} Live Studio Valid bac-1" in words
        assert (key.valid_from.isoformat(), key.valid_until.isoformat()) == (
            "2026-10-31T23:00:00+00:00",
            "2028-10-31T23:00:00+00:00",
        )

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("public_key", "AAAA"),
            ("public_key", '{"kty":"OKP","crv":"Ed25519","x":"AAAA"}'),
            ("last_day", "2026-10-31"),
            ("last_day", "2040-10-31"),
            ("tables", ["bac-9"]),
            ("reason", ""),
            ("studio", " "),
        ],
    )
    def test_with_an_invalid_field_is_not_saved(self, field: str, value: object) -> None:
        """The field says why."""
        answer = browser("compliance").post(f"{PAGE}new/", form(**{field: value}))

        assert 'class="field-error"' in page_html(answer)
        assert not StudioKey.objects.exists()

    def test_is_revoked_by_one_person_with_a_reason(self) -> None:
        """For ever."""
        key = Signer().registered()
        administrator = browser("administrator")
        administrator.post(f"{PAGE}{key.pk}/revoke/", {"note": ""})
        assert "Enter a reason." in plain(administrator, f"{PAGE}{key.pk}/")

        administrator.post(f"{PAGE}{key.pk}/revoke/", {"note": "the studio lost it"})

        words = plain(administrator, f"{PAGE}{key.pk}/")
        assert "Revoked" in words
        assert "the studio lost it" in words
        assert "Revoke the studio key" not in words

    def test_needs_a_second_factor(self) -> None:
        """As every decision of two persons."""
        key = Signer().proposed()

        client = Client()
        client.force_login(person("supervisor"))
        forget_confirmation(client)
        client.post(f"{PAGE}{key.pk}/approve/")

        assert not key.steps.exists()

    def test_is_neither_proposed_nor_revoked_without_one(self) -> None:
        """A wrong code is none."""
        key = Signer().registered()
        compliance = browser("compliance")
        forget_confirmation(compliance)

        for code in ("", "000000"):
            compliance.post(f"{PAGE}new/", form(code=code, public_key=base64url(bytes(32))))
            compliance.post(f"{PAGE}{key.pk}/revoke/", {"note": "the studio lost it", "code": code})

        assert StudioKey.objects.get() == key
        assert [step.action for step in key.steps.all()] == ["approved"]


class TestATable:
    def test_requires_signatures_and_takes_two_persons_to_stop(self, table: Table) -> None:
        """One person makes it safer; two make it less safe."""
        page = f"/admin/rounds/table/{table.pk}/change/"
        action = f"/admin/tables/{table.pk}/signatures/"
        compliance, supervisor = browser("compliance"), browser("supervisor")
        assert "Unsigned rounds allowed" in plain(supervisor, page)

        supervisor.post(f"{action}require/", {"note": "they sign", "seen": 0})
        assert "Signatures required" in plain(supervisor, page)
        compliance.post(f"{action}propose/", {"note": "an outage", "seen": 1})
        compliance.post(f"{action}allow/", {"note": "an outage", "seen": 2})
        assert "You proposed this" in plain(compliance, page)
        assert requires_signature_now(table.pk)
        supervisor.post(f"{action}allow/", {"note": "agreed", "seen": 2})

        assert not requires_signature_now(table.pk)
        assert "Unsigned rounds allowed" in plain(supervisor, page)

    @pytest.mark.parametrize("action", ["require", "propose", "allow"])
    def test_is_set_with_a_fresh_second_factor(self, table: Table, action: str) -> None:
        """A wrong code is none."""
        address = f"/admin/tables/{table.pk}/signatures/"
        compliance, supervisor = browser("compliance"), browser("supervisor")
        if action != "require":
            supervisor.post(f"{address}require/", {"note": "they sign", "seen": 0})
        if action == "allow":
            compliance.post(f"{address}propose/", {"note": "an outage", "seen": 1})
        before = latest_requirement(table.pk)
        forget_confirmation(supervisor)

        for code in ("", "000000"):
            form = {"note": "now", "seen": before.sequence if before else 0, "code": code}
            supervisor.post(f"{address}{action}/", form)

        assert latest_requirement(table.pk) == before

    def test_shows_who_was_first(self, table: Table) -> None:
        """A stale page changes nothing."""
        action = f"/admin/tables/{table.pk}/signatures/require/"
        supervisor = browser("supervisor")
        supervisor.post(action, {"note": "they sign", "seen": 0})

        supervisor.post(action, {"note": "they sign", "seen": 0})

        assert "Your change was not saved" in plain(
            supervisor, f"/admin/rounds/table/{table.pk}/change/"
        )


class TestTheRoundPage:
    def test_names_the_studio_key(self) -> None:
        """Or says that the round is unsigned."""
        Signer().registered()
        [signed, unsigned] = lines(baccarat_round("r-1"), baccarat_round("r-2"))
        ingest_signed(signed + b"\n", Signer().signature_lines(signed + b"\n"))
        ingest([unsigned])
        auditor = reader(person("supervisor"))

        pages = {
            row.reference: plain(auditor, f"/admin/rounds/round/{row.pk}/change/")
            for row in Round.objects.all()
        }

        assert f"signed with Live Studio {Signer().key_id[:8]}" in pages["r-1"]
        assert "unsigned" in pages["r-2"]
