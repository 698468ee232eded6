"""The pages of cases: from the form to the money, by two persons, each in an own browser."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client

from payouts.cases.models import Case, CaseEvidence, CaseRun, CaseStep
from payouts.cases.remedies import Remedy
from tests.casino.backoffice.cases.case_forms import (
    browser_of,
    code_of_lorenzo,
    fields_of,
    malfunction,
    named,
    proposed,
    sign,
)
from tests.casino.backoffice.reading import page_html
from tests.casino.backoffice.second_factors import code_of, give_phone
from tests.casino_in_play import NOW, ingest, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.cases.case_scenarios import execute, propose
from tests.payouts.settlement.resettlement_scenarios import balance, stored

_MINUS = "\N{MINUS SIGN}"


@pytest.mark.usefixtures("rounds")
class TestAMalfunction:
    def test_goes_from_the_form_to_the_money(self, giulia: Client, lorenzo: Client) -> None:
        """Reported, proposed, signed with a code, executed: everybody has the own stakes."""
        case = proposed(giulia)

        page = sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        assert "Approved." in page_html(page)
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2400, 2000)
        done = page_html(lorenzo.get(f"/admin/cases/{case.pk}/"))
        assert "2 of 2" in done
        assert "Giulia" in done

    def test_shows_the_effect_before_anything_is_proposed(self, giulia: Client) -> None:
        """44.00 go back, 50.00 come back, customer by customer."""
        page = page_html(malfunction(giulia))

        for output in ("44.00", f"{_MINUS}50.00", f"{_MINUS}26.00", "+20.00"):
            assert output in page

    def test_can_be_looked_at_with_another_remedy(self, giulia: Client) -> None:
        """The real result changes nothing: nothing to decide."""
        malfunction(giulia)
        case = Case.objects.get()

        page = page_html(giulia.get(f"/admin/cases/{case.pk}/?remedy=real_result"))

        assert "2 rounds are already paid correctly" in page
        assert "not provided for by the sheet" in page
        assert "so no signature is needed" in page
        assert f'action="/admin/cases/{case.pk}/propose/"' not in page

    def test_of_a_table_in_a_window_of_time(self, giulia: Client) -> None:
        """All three rounds were open at 21:10 in London, 22:10 in Rome."""
        times = {"first": "2026-11-21T22:10:00", "last": "2026-11-21T22:12:00"}
        malfunction(giulia, references="", table="bac-1", **times)

        assert Case.objects.get().rounds.count() == 3

    @pytest.mark.parametrize(
        ("said", "words"),
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
    def test_that_is_not_said_well_opens_no_case(
        self, giulia: Client, said: dict[str, str], words: str
    ) -> None:
        """The form says which field, and keeps what was typed."""
        page = page_html(malfunction(giulia, **said))

        assert words in page
        assert not Case.objects.exists()

    def test_keeps_its_evidence(self, giulia: Client) -> None:
        """Byte for byte; what is no document is refused."""
        malfunction(giulia)
        case = Case.objects.get()
        report = SimpleUploadedFile("report.pdf", b"%PDF-1.7 seen")
        script = SimpleUploadedFile("run.html", b"<script>")
        add = f"/admin/cases/{case.pk}/evidence/add/"
        giulia.post(add, {"files": [report]})
        refused = page_html(giulia.post(add, {"files": [script]}, follow=True))

        kept = CaseEvidence.objects.get()
        answer = giulia.get(f"/admin/cases/{case.pk}/evidence/{kept.pk}/")
        assert answer.content == b"%PDF-1.7 seen"
        assert answer["Content-Disposition"].startswith("attachment")
        assert "run.html is not accepted as evidence" in refused

    def test_takes_no_evidence_that_is_too_big(self, giulia: Client) -> None:
        """It is not read at all."""
        malfunction(giulia)
        case = Case.objects.get()
        film = SimpleUploadedFile("film.pdf", b"%PDF-" + bytes(10_000_000))

        add = f"/admin/cases/{case.pk}/evidence/add/"
        page = page_html(giulia.post(add, {"files": [film]}, follow=True))

        assert "film.pdf is larger than 10 MB." in page
        assert not CaseEvidence.objects.exists()

    def test_gives_its_effect_as_a_file(self, giulia: Client) -> None:
        """A line a customer."""
        case = proposed(giulia)

        answer = giulia.get(f"/admin/cases/{case.pk}/effect.csv")

        rows = answer.content.decode().splitlines()
        assert rows[1].split(";")[:5] == ["p-1", "4", "24.00", "-50.00", "-26.00"]


@pytest.mark.usefixtures("rounds")
class TestTheSamePerson:
    def test_is_shown_why_there_is_nothing_to_sign(self, giulia: Client) -> None:
        """The box for the signature is not there."""
        case = proposed(giulia)

        page = page_html(giulia.get(f"/admin/cases/{case.pk}/"))

        assert "A second person must decide" in page
        assert f"/admin/cases/{case.pk}/approve/" not in page

    def test_cannot_sign_by_a_forged_post(self, giulia: Client, lorenzo: Client) -> None:
        """With all that Lorenzo's page holds, and a right code of her own."""
        case = proposed(giulia)
        person = User.objects.get(username="giulia")
        give_phone(person)
        forged = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/"))

        said = {**forged, "read": "on", "note": "Agreed.", "code": code_of(person)}
        page = giulia.post(f"/admin/cases/{case.pk}/approve/", said, follow=True)

        assert "A second person must decide" in page_html(page)
        assert not CaseRun.objects.exists()

    def test_cannot_sign_in_sql(self, giulia: Client) -> None:
        """The database refuses the row."""
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
        ("said", "words"),
        [
            ({"code": ""}, "Enter the six-digit code"),
            ({"code": "000000"}, "The code is incorrect"),
            ({"code": "", "note": ""}, "Enter a reason"),
        ],
    )
    def test_needs_a_fresh_proof_and_a_reason(
        self, giulia: Client, lorenzo: Client, said: dict[str, str], words: str
    ) -> None:
        """Nothing is decided without."""
        case = proposed(giulia)

        page = page_html(sign(lorenzo, case, **said))

        assert words in page
        assert not CaseRun.objects.exists()

    def test_of_a_person_without_a_phone_leads_to_one(self, giulia: Client) -> None:
        """Nothing of the case is shown before it is set up."""
        case = proposed(giulia)
        anna = named("Anna", "payments")
        Authenticator.objects.filter(user=anna).delete()

        answer = browser_of(anna).get(f"/admin/cases/{case.pk}/")

        assert answer["Location"] == "/admin/security/"

    def test_of_what_changed_meanwhile_is_refused(self, giulia: Client, lorenzo: Client) -> None:
        """Withdrawn while Lorenzo was reading: he is told by whom."""
        case = proposed(giulia)
        seen = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/"))
        withdrawn = {"seen": seen["seen"], "note": "Wrong shoe."}
        giulia.post(f"/admin/cases/{case.pk}/withdraw/", withdrawn)

        said = {**seen, "read": "on", "note": "Agreed.", "code": code_of_lorenzo()}
        page = lorenzo.post(f"/admin/cases/{case.pk}/approve/", said, follow=True)

        assert "Giulia changed this case" in page_html(page)
        assert not CaseRun.objects.exists()

    def test_waits_on_the_page_of_today(self, giulia: Client, lorenzo: Client) -> None:
        """For whoever may sign, and not for who proposed."""
        case = proposed(giulia)

        assert f"Malfunction {case}" in page_html(lorenzo.get("/admin/"))
        assert f"Malfunction {case}" not in page_html(giulia.get("/admin/"))

    def test_may_be_refused(self, giulia: Client, lorenzo: Client) -> None:
        """With a reason and a fresh proof; another proposal may follow."""
        case = proposed(giulia)
        seen = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/"))

        said = {**seen, "note": "Which shoe?", "code": code_of_lorenzo()}
        lorenzo.post(f"/admin/cases/{case.pk}/reject/", said)

        assert CaseStep.objects.filter(case=case, action="rejected", note="Which shoe?").exists()
        assert "Propose" in page_html(giulia.get(f"/admin/cases/{case.pk}/"))


@pytest.mark.usefixtures("rounds")
class TestOtherRoles:
    def test_an_auditor_looks_and_does_nothing(self, giulia: Client) -> None:
        """Everything is visible; every form is refused."""
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
        """Nor anything else about money."""
        case = proposed(giulia)
        administrator = browser_of(named("Ugo", "administrator"))

        assert administrator.get(f"/admin/cases/{case.pk}/").status_code == 403
        assert administrator.get("/admin/cases/").status_code == 403


@pytest.mark.usefixtures("rounds")
class TestWhatMoved:
    """After the second signature; the sums are in ``tests/payouts/cases/test_case_effect.py``."""

    def test_stays_on_the_page_and_in_both_files(self, giulia: Client, lorenzo: Client) -> None:
        """Customer by customer, and bet by bet of all rounds."""
        case = proposed(giulia)
        sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        page = page_html(lorenzo.get(f"/admin/cases/{case.pk}/"))
        customers = lorenzo.get(f"/admin/cases/{case.pk}/effect.csv").content.decode()
        bets = lorenzo.get(f"/admin/cases/{case.pk}/bets.csv").content.decode().splitlines()

        assert "Executed transfers by customer" in page
        assert "Details by round and bet" in page
        for output in ("44.00", f"{_MINUS}50.00", f"{_MINUS}26.00", "+20.00", "planned €44.00"):
            assert output in page
        assert "p-1;4;24.00;-50.00;-26.00;0.00;0.00;24.00;-50.00;-26.00;0.00" in customers
        assert len(bets) == 1 + 6
        assert sum("Executed" in line for line in bets) == 6

    def test_shows_what_was_rejected(self, giulia: Client, lorenzo: Client) -> None:
        """Beside the form for another proposal."""
        case = proposed(giulia)
        said = fields_of(lorenzo.get(f"/admin/cases/{case.pk}/")) | {"note": "No."}
        lorenzo.post(f"/admin/cases/{case.pk}/reject/", {**said, "code": code_of_lorenzo()})
        assert CaseStep.objects.filter(case=case, action="rejected").exists()

        page = page_html(lorenzo.get(f"/admin/cases/{case.pk}/"))

        assert "Proposed transfers by customer" in page
        assert f"{_MINUS}26.00" in page

    def test_is_no_formula_in_a_spreadsheet(self, giulia: Client) -> None:
        """A customer who calls himself one is text in both files, and amounts stay amounts."""
        evil = '=HYPERLINK("http://x")'
        ingest(lines(baccarat_round("r-9", bets=[baccarat_bet("b1", "tie", "1.00", player=evil)])))
        settle()
        malfunction(giulia, references="r-9")
        case = Case.objects.latest("pk")
        propose(case, Remedy.VOID)

        bets = giulia.get(f"/admin/cases/{case.pk}/bets.csv").content.decode()
        customers = giulia.get(f"/admin/cases/{case.pk}/effect.csv").content.decode()

        for file in (bets, customers):
            assert "'=HYPERLINK" in file
            assert ";=" not in file
            assert "\n=" not in file

    def test_pages_through_many_bets(self, giulia: Client, lorenzo: Client) -> None:
        """A hundred on a page; what is no place begins at the beginning."""
        many = [baccarat_bet(f"m{n}", "tie", "1.00") for n in range(120)]
        ingest(lines(baccarat_round("r-9", bets=many)))
        settle()
        malfunction(giulia, references="r-9")
        case = Case.objects.latest("pk")
        propose(case, Remedy.VOID)
        address = f"/admin/cases/{case.pk}/"

        first = page_html(lorenzo.get(address))
        second = page_html(lorenzo.get(f"{address}?after=1-99"))
        odd = page_html(lorenzo.get(f"{address}?after=x';--"))

        assert "?after=1-99#bets-moved" in first
        assert (">m99<" in first, ">m100<" in first) == (True, False)
        assert (">m99<" in second, ">m100<" in second) == (False, True)
        assert ">m0<" in odd
