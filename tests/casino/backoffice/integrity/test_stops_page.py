"""The page of settlement stops: what was found, and two persons who resume by signature."""

from collections import Counter
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.notifications.follow_conditions import follow_conditions
from compliance.notifications.models import Notification
from compliance.trail.people import actor_of
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.integrity.stop_settlement import open_stops
from payouts.recheck.count_verified import count_verified
from payouts.recheck.verify_share import Findings
from rounds.formatting import NONE
from tests.attacks.integrity.stops import FOUND, REASON, assert_settled, stopped, two_rounds_wait
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.trail.lost_logs import give_role
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed

PAGE = "/admin/settlement-stops/"

pytestmark = pytest.mark.django_db


def somebody(role: str) -> User:
    """A person in a role that the host gave."""
    user = person(role)
    give_role(actor_of(user), role)
    return user


def sign(browser: Client, *stops: IntegrityStop, seen: int, note: str = REASON) -> None:
    """Signs the form of the page for these stops."""
    form = {"stop": [f"{stop.pk}:{seen}" for stop in stops], "note": note}
    browser.post(PAGE, form)


def test_says_nothing_where_no_check_failed() -> None:
    """Neither there nor on Today."""
    browser = reader(person("compliance"))

    assert "Settlement has stopped" not in plain(browser, "/admin/")
    assert "No earlier stops" in plain(browser, PAGE)
    assert "Resume settlement" not in plain(browser, PAGE)


def test_takes_the_signatures_of_two_persons() -> None:
    """Then the rounds that waited are settled, and the stop stays on the page."""
    two_rounds_wait()
    stop = stopped()
    compliance, supervisor = somebody("compliance"), somebody("supervisor")
    assert "Settlement has stopped" in plain(reader(compliance), "/admin/")
    words = plain(reader(compliance), PAGE)
    assert FOUND in words
    assert "corrected by a case" in words

    sign(reader(compliance), stop, seen=0)
    words = plain(reader(compliance), PAGE)
    assert "A second person must resume." in words
    assert "Sign and resume" not in words
    assert "Sign and resume" in plain(reader(supervisor), PAGE)
    sign(reader(supervisor), stop, seen=1)

    words = plain(reader(compliance), PAGE)
    assert "Settlement has stopped" not in words
    assert words.count(REASON) == 2
    assert_settled()


@pytest.mark.parametrize(
    ("seen", "note", "message"),
    [
        (0, " ", "Enter a reason."),
        (1, REASON, "Somebody else has decided in the meantime"),
    ],
)
def test_names_what_is_wrong(seen: int, note: str, message: str) -> None:
    """Nothing is recorded."""
    stop, browser = stopped(), reader(somebody("compliance"))

    sign(browser, stop, seen=seen, note=note)

    assert message in plain(browser, PAGE)
    assert not IntegrityStopStep.objects.exists()


def test_refuses_the_same_person_and_a_foreign_form() -> None:
    """With words."""
    stop, browser = stopped(), reader(somebody("compliance"))
    sign(browser, stop, seen=0)

    sign(browser, stop, seen=1)
    assert "Another person must confirm it" in plain(browser, PAGE)
    browser.post(PAGE, {"stop": "x", "note": REASON})
    assert "Somebody else has decided" in plain(browser, PAGE)

    assert IntegrityStopStep.objects.count() == 1


def test_refuses_a_role_that_nobody_decided() -> None:
    """Rows of groups give nobody the right to resume."""
    supervisor = person("supervisor")
    give_role(actor_of(supervisor))
    stop, browser = stopped(), reader(supervisor)

    sign(browser, stop, seen=0)

    assert "No signed decision gives you a role" in plain(browser, PAGE)
    assert open_stops() == [stop]


def test_asks_for_a_second_factor() -> None:
    """That is minutes old."""
    stop, browser = stopped(), Client()
    browser.force_login(somebody("compliance"))
    session = browser.session
    session["confirmed_at"] = 0
    session.save()

    sign(browser, stop, seen=0)

    assert not IntegrityStopStep.objects.exists()


@pytest.mark.parametrize("role", ["payments", "auditor"])
def test_is_read_only_for_others(role: str) -> None:
    """Who see the findings."""
    stop, browser = stopped(), reader(somebody(role))

    assert FOUND in plain(browser, PAGE)
    assert "Sign and resume" not in plain(browser, PAGE)
    assert browser.post(PAGE, {"stop": f"{stop.pk}:0", "note": REASON}).status_code == 403


def test_shows_within_what_time_a_change_is_found() -> None:
    """And nothing before there are figures."""
    browser = reader(person("auditor"))
    before = plain(browser, PAGE)
    findings = Findings(Counter(random_rounds=10), pass_seconds=45.0)
    count_verified(findings, at=timezone.now(), seconds=1.0)

    after = plain(browser, PAGE)

    assert f"A change to a round of the last 6 hours is found within {NONE}" in before
    assert "A change to a round of the last 6 hours is found within 2 min" in after
    assert "Drawn at random 10" in after


def test_a_waiting_case_names_the_stop() -> None:
    """That keeps the workers from executing it."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    case = credit_proposed("p-1", 200)
    approve(case)
    page = f"/admin/cases/{case.pk}/"
    browser = reader(person("supervisor"))
    assert "Settlement has stopped" not in plain(browser, page)

    stopped()

    assert "Settlement has stopped" in plain(browser, page)
    assert f'href="{PAGE}"' in page_html(browser.get(page))


def test_counts_what_it_does_not_list() -> None:
    """A hundred findings are listed."""
    stopped(*(f"finding {number:03}" for number in range(102)))

    words = plain(reader(person("auditor")), PAGE)

    assert "finding 099" in words
    assert "and 2 more findings" in words


def test_tells_of_a_check_that_stops_nothing(settings: Settings) -> None:
    """INTEGRITY_STOPS leaves it out."""
    settings.INTEGRITY_STOPS = ["schema"]
    stopped()
    browser = reader(person("auditor"))

    words = plain(browser, PAGE)

    assert "Told only" in words
    assert "Settlement has stopped" not in words
    assert "Settlement has stopped" not in plain(browser, "/admin/")


def test_those_who_may_resume_get_a_notification() -> None:
    """By the alarm of their inbox, mail and chat, which ends with the resumption."""
    stop = stopped()
    supervisor = somebody("supervisor")
    person("payments")

    follow_conditions(at=stop.at, escalate_after=timedelta(hours=4))

    [sent] = Notification.objects.filter(address=PAGE)
    assert sent.recipient == supervisor
    assert sent.subject == "Settlement has stopped: a check of integrity failed"
