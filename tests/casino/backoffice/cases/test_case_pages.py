"""The pages of cases: reporting a malfunction, evidence, and what each role may do."""

from typing import Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from payouts.cases.models import Case, CaseEvidence, CaseStep
from tests.casino.backoffice.cases.case_forms import (
    MINUS,
    browser_of,
    code_of_lorenzo,
    malfunction,
    named,
    proposed,
    sign,
)
from tests.casino.backoffice.page_source import page_html
from tests.payouts.cases.case_scenarios import execute
from tests.payouts.settlement.resettlement_scenarios import balance, stored


@pytest.mark.usefixtures("rounds")
class TestAMalfunction:
    @pytest.mark.slow
    def test_goes_from_the_form_to_the_money(self, giulia: Client, lorenzo: Client) -> None:
        """Reported, proposed, signed and executed: the stakes are returned."""
        case = proposed(giulia)

        page = sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        assert "Approved." in page_html(page)
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2400, 2000)
        done = page_html(lorenzo.get(f"/admin/cases/{case.pk}/"))
        assert "2 of 2" in done
        assert "Giulia" in done

    def test_shows_the_effect_before_anything_is_proposed(self, giulia: Client) -> None:
        """44.00 are returned and 50.00 taken back, by customer."""
        page = page_html(malfunction(giulia))

        for output in ("44.00", f"{MINUS}50.00", f"{MINUS}26.00", "+20.00"):
            assert output in page

    def test_can_be_previewed_with_another_remedy(self, giulia: Client) -> None:
        """The real result changes nothing, so nothing can be proposed."""
        malfunction(giulia)
        case = Case.objects.get()

        page = page_html(giulia.get(f"/admin/cases/{case.pk}/?remedy=real_result"))

        assert "2 rounds are already paid correctly" in page
        assert "not provided for by the sheet" in page
        assert "so no signature is needed" in page
        assert f'action="/admin/cases/{case.pk}/propose/"' not in page

    def test_of_a_table_in_a_window_of_time(self, giulia: Client) -> None:
        """Rounds are found by table and by local time."""
        times = {"first": "2026-11-21T22:10:00", "last": "2026-11-21T22:12:00"}
        malfunction(giulia, references="", table="bac-1", **times)

        assert Case.objects.get().rounds.count() == 3

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"references": "r-1 nope"}, "Round not found: nope."),
            ({"references": ""}, "Enter round IDs, or a table"),
            ({"text": ""}, "This field is required."),
            ({"reason": "misread-card"}, "Select a valid choice."),
            (
                {
                    "references": "",
                    "table": "bac-1",
                    "first": "2026-11-20T00:00:00",
                    "last": "2026-11-20T01:00:00",
                },
                "This table had no open round in this period.",
            ),
            (
                {
                    "references": "",
                    "table": "bac-1",
                    "first": "2026-11-21T01:00:00",
                    "last": "2026-11-20T01:00:00",
                },
                "The end time is before the start time.",
            ),
        ],
    )
    def test_with_invalid_fields_opens_no_case(
        self, giulia: Client, fields: dict[str, str], words: str
    ) -> None:
        """The form names the field and keeps the input."""
        page = page_html(malfunction(giulia, **fields))

        assert words in page
        assert not Case.objects.exists()

    def test_keeps_its_evidence(self, giulia: Client) -> None:
        """Downloads equal the upload; other file types are refused."""
        malfunction(giulia)
        case = Case.objects.get()
        report = SimpleUploadedFile("report.pdf", b"%PDF-1.7 seen")
        script = SimpleUploadedFile("run.html", b"<script>")
        add = f"/admin/cases/{case.pk}/evidence/add/"
        giulia.post(add, {"files": [report]})
        refused = page_html(giulia.post(add, {"files": [script]}, follow=True))

        evidence = CaseEvidence.objects.get()
        answer = giulia.get(f"/admin/cases/{case.pk}/evidence/{evidence.pk}/")
        assert answer.content == b"%PDF-1.7 seen"
        assert answer["Content-Disposition"].startswith("attachment")
        assert "run.html is not accepted" in refused

    def test_takes_no_evidence_that_is_too_big(self, giulia: Client) -> None:
        """The file is refused by its size."""
        malfunction(giulia)
        case = Case.objects.get()
        film = SimpleUploadedFile("film.pdf", b"%PDF-" + bytes(10_000_000))

        add = f"/admin/cases/{case.pk}/evidence/add/"
        page = page_html(giulia.post(add, {"files": [film]}, follow=True))

        assert "film.pdf is larger than 10 MB." in page
        assert not CaseEvidence.objects.exists()

    def test_gives_its_effect_as_a_file(self, giulia: Client) -> None:
        """One row per customer."""
        case = proposed(giulia)

        answer = giulia.get(f"/admin/cases/{case.pk}/effect.csv")

        rows = answer.content.decode().splitlines()
        assert rows[1].split(";")[:5] == ["p-1", "4", "24.00", "-50.00", "-26.00"]


@pytest.mark.usefixtures("rounds")
class TestTheRegulator:
    LETTER: Final = {"reference": "ADM 2026/118", "on_day": "2026-11-22"}

    def referred(self, client: Client) -> Case:
        """A case that was referred, awaiting the answer to its letter."""
        case = proposed(client, reason="regulator-first")
        client.post(f"/admin/cases/{case.pk}/refer/", {"seen": "2", **self.LETTER})
        return case

    def answer(self, client: Client, case: Case, **fields: str) -> tuple[str, list[str]]:
        """The page after the answer was recorded, and the steps since the proposal."""
        form = {"seen": "3", **self.LETTER, **fields}
        page = page_html(client.post(f"/admin/cases/{case.pk}/answer/", form, follow=True))
        steps = CaseStep.objects.filter(sequence__gt=2).order_by("sequence")
        return page, list(steps.values_list("action", flat=True))

    @pytest.mark.parametrize(("allowed", "action"), [("yes", "allowed"), ("no", "refused")])
    def test_permits_or_refuses(self, giulia: Client, allowed: str, action: str) -> None:
        """As the button says that was pressed."""
        case = self.referred(giulia)

        page, steps = self.answer(giulia, case, allowed=allowed)

        assert "Answer recorded." in page
        assert steps == ["referred", action]

    def test_has_not_refused_by_an_answer_that_says_neither(self, giulia: Client) -> None:
        """Steps are not edited, so what is unclear is not recorded."""
        case = self.referred(giulia)

        page, steps = self.answer(giulia, case)

        assert "This field is required." in page
        assert steps == ["referred"]


@pytest.mark.usefixtures("rounds")
class TestOtherRoles:
    def test_an_auditor_only_reads(self, giulia: Client) -> None:
        """Everything is visible, every form is refused."""
        case = proposed(giulia)
        auditor = browser_of(named("Ada", "auditor"))

        page = auditor.get(f"/admin/cases/{case.pk}/")

        assert page.status_code == 200
        assert "<textarea" not in page_html(page)
        for address in (
            f"/admin/cases/{case.pk}/approve/",
            f"/admin/cases/{case.pk}/propose/",
            "/admin/cases/malfunction/",
            f"/admin/cases/correct/{stored('r-3').id}/",
        ):
            assert auditor.post(address).status_code == 403

    def test_an_administrator_sees_no_case(self, giulia: Client) -> None:
        """Pages about money are refused."""
        case = proposed(giulia)
        administrator = browser_of(named("Ugo", "administrator"))

        assert administrator.get(f"/admin/cases/{case.pk}/").status_code == 403
        assert administrator.get("/admin/cases/").status_code == 403
