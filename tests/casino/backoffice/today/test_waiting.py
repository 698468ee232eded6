"""The numbers of the menu and the bell: what waits for whom, by one query a page."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from casino.backoffice.today.waiting import MOST_SHOWN, counts_for
from compliance.notifications.models import Notification
from payouts.cases.awaiting_approval import cases_awaiting
from payouts.cases.status import Action
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.stuck_work.models import FailingTask
from rounds.gaming_day import gaming_day
from rounds.models import ClosedDay
from rounds.row_mapping import milliseconds_of
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import reader
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, credit_proposed
from tests.payouts.disputes.dispute_scenarios import disputed
from tests.payouts.settlement.resettlement_scenarios import GIULIA

pytestmark = pytest.mark.django_db
PAGE = "/admin/security/"


def fail_tasks(number: int) -> None:
    """So many background tasks that fail."""
    FailingTask.objects.bulk_create(
        FailingTask(task=f"t{n}", first_failed_at=NOW, last_failed_at=NOW, failures=99)
        for n in range(number)
    )


def let_work_wait() -> None:
    """A held round, a due dispute, a proposed case and an exception; no day was closed."""
    open_table()
    ingest(lines(baccarat_round("r-1"), held_baccarat_round("r-held")))
    settle()
    disputed("r-1")
    credit_proposed("p-1", 1000)
    fail_tasks(1)


def numbers(browser: Client) -> dict[str, int]:
    """The numbers as pages ask for them."""
    counts: dict[str, Any] = browser.get("/admin/waiting/").json()
    return {kind: count["number"] for kind, count in counts.items()}


def days_to_close() -> int:
    """The days between the oldest open one and today."""
    following = next_day_to_close()
    assert following is not None
    return (gaming_day(milliseconds_of(timezone.now())) - following).days


def test_waiting_work_is_counted_by_kind() -> None:
    """What a role does not see is not counted, and nobody approves the own proposal."""
    let_work_wait()
    administrator = person("administrator")  # the first account could be Giulia's

    days, counts = days_to_close(), numbers(reader(person("compliance")))

    assert days > 0
    assert counts == {
        "inbox": Notification.objects.filter(recipient__username="compliance").count(),
        "case": 1,
        "dispute": 1,
        "exception": 1,
        "round": 1,
        "day": days,
    }
    assert numbers(reader(administrator)) == {"inbox": 0}
    assert not cases_awaiting(GIULIA.user_id or 0).exists()


def test_a_closed_day_does_not_wait(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """Days count from the one after the last that was closed; all numbers are one query."""
    today = gaming_day(milliseconds_of(timezone.now()))
    officer = person("compliance")
    officer.get_all_permissions()
    for days_ago, waiting in ((2, 1), (1, 0)):
        ClosedDay.objects.create(day=today - timedelta(days=days_ago))
        with django_assert_num_queries(1):
            assert counts_for(officer)["day"].number == waiting


def test_a_case_waits_only_while_it_can_be_approved() -> None:
    """It is over for the menu once it was approved."""
    let_work_wait()
    [case] = cases_awaiting(0)
    assert case.steps.order_by("-sequence")[0].action == Action.PROPOSED

    approve(case)

    assert not cases_awaiting(0).exists()


def test_the_menu_says_what_is_counted() -> None:
    """With words for screen readers, and nothing where nothing waits."""
    let_work_wait()
    page = reader(person("compliance")).get(PAGE).content.decode()
    menu = page.partition('id="nav-sidebar"')[2].partition('id="main"')[0]
    texts = [re.sub(r"\s+", " ", re.sub("<[^>]*>", "", item)) for item in menu.split("</li>")]

    [held] = [text for text in texts if "Held rounds" in text]
    assert held.split() == ["pause_circle", "Held", "rounds", "1", "1", "held", "round"]
    assert 'data-count="round"' in menu
    assert 'data-count="round" title="1 held round" hidden' not in menu


def test_many_are_not_counted_to_the_last() -> None:
    """The menu shows 99+."""
    fail_tasks(MOST_SHOWN + 5)

    assert counts_for(person("supervisor"))["exception"].text == "99+"


def test_a_page_asks_once_for_all_numbers() -> None:
    """However much waits."""
    browser = reader(person("compliance"))
    browser.get(PAGE)
    queries_of_pages = []
    for has_work in (False, True):
        if has_work:
            let_work_wait()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            browser.get(PAGE)
        queries_of_pages.append([query["sql"] for query in queries])

    assert [sum(") counted" in sql for sql in page) for page in queries_of_pages] == [1, 1]
    assert len(queries_of_pages[0]) == len(queries_of_pages[1])
