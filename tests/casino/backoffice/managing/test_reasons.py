"""Reasons are added, changed and taken out of use by compliance, and never deleted."""

from typing import Any

import pytest
from django.test import Client

from compliance.trail.models import AuditRecord
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reason_in_force, reasons_in_force
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_text

LIST = "/admin/payouts/reason/"
NEW = "/admin/reasons/new/"


def address(code: str) -> str:
    """The page that changes a reason."""
    return f"/admin/reasons/{Reason.objects.get(code=code, version=1).pk}/"


def in_force(code: str) -> Reason:
    """The version in force."""
    reason = reason_in_force(code)
    assert reason is not None
    return reason


def form_fields(**other: Any) -> dict[str, Any]:
    """The fields of the form."""
    return {
        "text_it": "Telecamera guasta",
        "text_en": "Camera out of order",
        "is_active": "on",
    } | other


class TestAReason:
    def test_is_added_and_offered_from_then_on(self, compliance: Client) -> None:
        """In both languages; the record names the actor."""
        compliance.post(NEW, form_fields(code="camera", purpose="suspension"))

        page = page_text(compliance.get(LIST).content)

        assert "camera Telecamera guasta Camera out of order" in page
        record = AuditRecord.objects.get(action="REASON_ADDED")
        assert (record.subject, record.actor) == ("reason:camera", "compliance")

    @pytest.mark.parametrize(
        ("other", "needed"),
        [
            ({"code": "Camera"}, "lowercase letters"),
            ({"code": "equipment"}, "a code that no other reason uses"),
            ({"purpose": "fun"}, "one of: malfunction"),
            ({"text_it": " "}, "1 to 200 characters"),
            ({"text_en": "x" * 201}, "1 to 200 characters"),
        ],
    )
    def test_that_is_invalid_says_what_is_needed(
        self, compliance: Client, other: dict[str, str], needed: str
    ) -> None:
        """The fields keep their input."""
        before = Reason.objects.count()

        page = compliance.post(
            NEW, form_fields(code="camera", purpose="suspension") | other
        ).content

        assert needed in page_text(page)
        assert Reason.objects.count() == before

    def test_is_taken_out_of_use_and_stays(self, compliance: Client) -> None:
        """Reasons cannot be deleted; the record has before and after."""
        form = {"text_it": "Attrezzatura", "text_en": "Equipment", "seen": 1}

        compliance.post(address("equipment"), form)

        assert not in_force("equipment").is_active
        assert "Attrezzatura Equipment" in page_text(compliance.get(LIST).content)
        details = AuditRecord.objects.get(action="REASON_CHANGED").details
        assert (details["before"]["is_active"], details["after"]["is_active"]) == (True, False)

    def test_stays_in_use_where_the_monitor_needs_it(self, compliance: Client) -> None:
        """The monitor opens cases with it; only its texts may change."""
        form = {"text_it": "Scostamento", "text_en": "Drift", "seen": 1}

        page = page_text(compliance.post(address("drift"), form).content)
        compliance.post(address("drift"), {**form, "is_active": "on"})

        assert "Found “not in use”; expected: in use: the table monitor opens its cases" in page
        reason = in_force("drift")
        assert (reason.is_active, reason.text_en) == (True, "Drift")

    def test_that_changed_meanwhile_is_not_saved(self, compliance: Client) -> None:
        """The page shows both versions; saving again works."""
        compliance.post(address("equipment"), form_fields(seen=1, text_en="First"))

        page = compliance.post(address("equipment"), form_fields(seen=1, text_en="Second")).content
        between = in_force("equipment").text_en
        compliance.post(address("equipment"), form_fields(seen=2, text_en="Second"))

        assert "This reason was changed by another user" in page_text(page)
        assert "compliance, " in page_text(page)
        assert "current value: First" in page_text(page)
        assert 'value="Second"' in page.decode()
        assert between == "First"
        assert in_force("equipment").text_en == "Second"

    def test_that_is_unchanged_leaves_no_record(self, compliance: Client) -> None:
        """Saving an unchanged form is not recorded."""
        reason = in_force("equipment")
        form = form_fields(seen=1, text_it=reason.text_it, text_en=reason.text_en)

        compliance.post(address("equipment"), form)

        assert not AuditRecord.objects.filter(action="REASON_CHANGED").exists()

    @pytest.mark.parametrize("role", ["supervisor", "payments", "auditor"])
    def test_is_read_only_for_deciders(self, client: Client, db: None, role: str) -> None:
        """Only compliance may change reasons."""
        client.force_login(person(role))

        looks = client.get(LIST)

        assert looks.status_code == 200
        assert NEW not in looks.content.decode()
        assert client.post(NEW, form_fields(code="x", purpose="refund")).status_code == 403
        assert client.get(address("equipment")).status_code == 403


class TestTheList:
    def test_is_filtered_by_purpose_and_downloaded(self, compliance: Client) -> None:
        """Only the version in force of each reason of that purpose."""
        compliance.post(NEW, form_fields(code="camera", purpose="suspension"))
        compliance.post(address("camera"), form_fields(text_en="Camera broken", seen=1))
        query = {"purpose": "suspension", "columns": ["code", "english"], "format": "csv"}

        rows = compliance.get(LIST, query).content.decode("utf-8-sig").splitlines()

        codes = reasons_in_force().filter(purpose="suspension").values_list("code", flat=True)
        assert [row.split(",")[0] for row in rows] == ["Code", *codes.order_by("pk")]
        assert "camera,Camera broken" in rows

    def test_is_filtered_by_status(self, compliance: Client) -> None:
        """Those out of use are still listed."""
        form = {"text_it": "Attrezzatura", "text_en": "Equipment", "seen": 1}
        compliance.post(address("equipment"), form)

        retired = page_text(compliance.get(LIST, {"status": "out-of-use"}).content)

        assert "equipment Attrezzatura Equipment" in retired
        assert "equipment Attrezzatura" not in page_text(
            compliance.get(LIST, {"status": "in-use"}).content
        )
