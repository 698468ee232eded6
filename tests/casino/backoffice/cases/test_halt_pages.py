"""A case that nobody signed: shown as such, and the execution resumed on its page."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from payouts.cases.models import Case, CaseHaltStep, CaseStep, Reason
from tests.attacks.forgeries import as_web, begin_execution, forged_credit
from tests.casino.backoffice.cases.case_forms import (
    browser_of,
    code_of_lorenzo,
    named,
    proposed,
    sign,
)
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import code_of
from tests.casino_in_play import NOW
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.cases.case_scenarios import execute, opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rounds")]


@pytest.fixture
def forged() -> Case:
    """A forged credit at which the workers halted."""
    case = forged_credit()
    execute(case)
    return case


def unproposed(*, steps: int) -> Case:
    """A case with an execution, and with so many of its steps."""
    with as_web():
        if steps:
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
        else:
            reason = Reason.objects.get(code="service-failure")
            stated = {"kind": "goodwill", "needs_regulator": False, "actor": "Anna Riva"}
            case = Case.objects.create(reason=reason, opened_at=NOW, actor_user_id=5, **stated)
        begin_execution(case)
    return case


def entitled(name: str) -> User:
    """A supervisor as decided about; Lorenzo's role is decided as well."""
    person = named(name, "supervisor")
    lorenzo = User.objects.get(username="lorenzo")
    for user in (person, lorenzo):
        give_role(actor_of(user), *user.groups.values_list("name", flat=True))
    return person


def resume(client: Client, case: Case, *, seen: int, code: str = "") -> str:
    """Signs that the execution resumes."""
    form = {"seen": seen, "note": "Written by SQL.", "code": code}
    return page_html(client.post(f"/admin/cases/{case.pk}/resume/", form, follow=True))


def test_an_unsigned_case_is_shown_as_such(lorenzo: Client, forged: Case) -> None:
    """On Today and on its page."""
    assert "Execution of all cases is halted" in plain(lorenzo, "/admin/")

    page = plain(lorenzo, f"/admin/cases/{forged.pk}/")

    assert page.count("No valid signature") == 2
    assert "found no signature" in page
    assert "0 / 2" in page


@pytest.mark.slow
@pytest.mark.parametrize("steps", [0, 1])
def test_a_case_that_nobody_proposed_can_be_reviewed_and_refused(
    lorenzo: Client, steps: int
) -> None:
    """The rows of an execution alone, with the opening or without any step."""
    forged = unproposed(steps=steps)
    execute(forged)
    sara = browser_of(entitled("Sara"))

    assert str(forged) in plain(lorenzo, "/admin/cases/")
    page = plain(lorenzo, f"/admin/cases/{forged.pk}/")
    assert "Resume execution" in page
    assert "Credit the customer" not in page
    resume(lorenzo, forged, seen=0, code=code_of_lorenzo())
    resume(sara, forged, seen=1, code=code_of(User.objects.get(username="sara")))
    execute(forged)

    assert "This case was refused" in plain(lorenzo, f"/admin/cases/{forged.pk}/")


def test_somebody_without_a_proven_role_resumes_nothing(lorenzo: Client, forged: Case) -> None:
    """Rows of groups give him a role, no decision does."""
    give_role(actor_of(User.objects.get(username="lorenzo")))
    answer = resume(lorenzo, forged, seen=0, code=code_of_lorenzo())

    assert "No signed decision gives you a role that may decide this." in answer
    assert not CaseHaltStep.objects.exists()


@pytest.mark.slow
def test_two_persons_resume_and_the_case_is_refused(lorenzo: Client, forged: Case) -> None:
    """The first cannot be the second as well."""
    supervisor = entitled("Sara")
    sara = browser_of(supervisor)
    page = f"/admin/cases/{forged.pk}/"

    assert "Proposal recorded." in resume(lorenzo, forged, seen=0, code=code_of_lorenzo())
    assert "A second person must resume." in plain(lorenzo, page)
    assert "A second person" in resume(lorenzo, forged, seen=1)
    assert "Somebody else has decided" in resume(sara, forged, seen=0, code=code_of(supervisor))
    assert "Execution resumed." in resume(sara, forged, seen=1)
    execute(forged)

    assert "This case was refused" in plain(lorenzo, page)
    assert "halted" not in plain(lorenzo, "/admin/")


def test_a_signed_case_says_that_its_signatures_were_verified(
    giulia: Client, lorenzo: Client
) -> None:
    """When the page is shown."""
    case = proposed(giulia)
    sign(lorenzo, case, code=code_of_lorenzo())
    assert CaseStep.objects.filter(case=case, action="approved").exists()

    assert plain(lorenzo, f"/admin/cases/{case.pk}/").count("signature verified") == 2
