"""A case is signed by a second person, with a fresh second factor."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from payouts.cases.models import CaseRun, CaseStep
from tests.casino.backoffice.cases.case_forms import (
    browser_of,
    code_of_lorenzo,
    fields_of,
    named,
    proposed,
    sign,
)
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import code_of, forget_confirmation, give_phone
from tests.casino_in_play import NOW


@pytest.mark.usefixtures("rounds")
class TestTheSamePerson:
    def test_is_shown_why_there_is_nothing_to_sign(self, giulia: Client) -> None:
        """The page has no signature form for the proposer."""
        case = proposed(giulia)

        page = page_html(giulia.get(f"/admin/cases/{case.pk}/"))

        assert "A second person must decide" in page
        assert f"/admin/cases/{case.pk}/approve/" not in page

    def test_cannot_sign_by_a_forged_post(self, giulia: Client, lorenzo: Client) -> None:
        """Not even with the hidden fields of Lorenzo's page and a valid code."""
        case = proposed(giulia)
        person = User.objects.get(username="giulia")
        give_phone(person)
        forged = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/"))

        form = {**forged, "read": "on", "note": "Agreed.", "code": code_of(person)}
        page = giulia.post(f"/admin/cases/{case.pk}/approve/", form, follow=True)

        assert "A second person must decide" in page_html(page)
        assert not CaseRun.objects.exists()

    def test_cannot_sign_in_sql(self, giulia: Client) -> None:
        """A check constraint refuses the row."""
        case = proposed(giulia)
        person = User.objects.get(username="giulia")

        with pytest.raises(IntegrityError, match="another has to decide"), transaction.atomic():
            CaseStep.objects.create(
                case=case,
                sequence=3,
                action="approved",
                note="Agreed.",
                effect_digest=b"\0" * 32,
                at=NOW,
                actor="Somebody",
                actor_user_id=person.pk,
            )


@pytest.mark.usefixtures("rounds")
class TestASignature:
    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"code": ""}, "Enter the six-digit code"),
            ({"code": "000000"}, "The code is incorrect"),
            ({"code": "", "note": ""}, "Enter a reason"),
        ],
    )
    def test_needs_a_code_and_a_reason(
        self, giulia: Client, lorenzo: Client, fields: dict[str, str], words: str
    ) -> None:
        """Without either nothing is decided."""
        case = proposed(giulia)
        forget_confirmation(lorenzo)

        page = page_html(sign(lorenzo, case, **fields))

        assert words in page
        assert not CaseRun.objects.exists()

    def test_needs_a_phone(self, giulia: Client) -> None:
        """A person without one is sent to set it up."""
        case = proposed(giulia)
        anna = named("Anna", "payments")
        Authenticator.objects.filter(user=anna).delete()

        answer = browser_of(anna).get(f"/admin/cases/{case.pk}/")

        assert answer["Location"] == "/admin/security/"

    def test_of_what_changed_meanwhile_is_refused(self, giulia: Client, lorenzo: Client) -> None:
        """The page names who changed the case."""
        case = proposed(giulia)
        seen = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/"))
        withdrawn = {"seen": seen["seen"], "note": "Wrong shoe."}
        giulia.post(f"/admin/cases/{case.pk}/withdraw/", withdrawn)

        form = {**seen, "read": "on", "note": "Agreed.", "code": code_of_lorenzo()}
        page = lorenzo.post(f"/admin/cases/{case.pk}/approve/", form, follow=True)

        assert "Giulia changed this case" in page_html(page)
        assert not CaseRun.objects.exists()

    def test_waits_on_the_page_of_today(self, giulia: Client, lorenzo: Client) -> None:
        """It is listed for those who may sign, not for the proposer."""
        case = proposed(giulia)

        assert f"Malfunction {case}" in page_html(lorenzo.get("/admin/"))
        assert f"Malfunction {case}" not in page_html(giulia.get("/admin/"))

    def test_may_be_refused(self, giulia: Client, lorenzo: Client) -> None:
        """With a reason and a code; another proposal may follow."""
        case = proposed(giulia)
        seen = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/"))

        forget_confirmation(lorenzo)
        form = {**seen, "note": "Which shoe?"}
        for code in ("", "000000"):
            lorenzo.post(f"/admin/cases/{case.pk}/reject/", {**form, "code": code})
        assert not CaseStep.objects.filter(case=case, action="rejected").exists()
        lorenzo.post(f"/admin/cases/{case.pk}/reject/", {**form, "code": code_of_lorenzo()})

        assert CaseStep.objects.filter(case=case, action="rejected", note="Which shoe?").exists()
        assert "Propose" in page_html(giulia.get(f"/admin/cases/{case.pk}/"))
