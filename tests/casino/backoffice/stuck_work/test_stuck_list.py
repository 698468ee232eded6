"""The exceptions queue, its count on the home page, and who may see it."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from compliance.trail.people import actor_of
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.resolve import resolve_stuck_work
from rounds.models import QueuedRound
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    conflict,
    failing_round,
    failing_task,
    quarantined,
)

STUCK = "/admin/stuck/"


def shown(page: str) -> list[str]:
    """The kinds of the listed items in order."""
    return re.findall(r'href="/admin/stuck/(\w+)/[\w-]+/">', page)


class TestTheList:
    def test_shows_reason_age_and_owner(self, supervisor: Client) -> None:
        """For every kind."""
        open_table()
        works = [failing_round(), conflict(), quarantined("{<b>"), failing_task()]
        me = User.objects.get(username="supervisor")
        User.objects.filter(pk=me.pk).update(first_name="Giulia", last_name="Marchetti")
        me.refresh_from_db()
        assign_stuck_work(work=works[0], owner=me, seen=0, at=NOW, actor=actor_of(me))
        settle()

        page = supervisor.get(STUCK).content.decode()

        assert sorted(shown(page)) == ["conflict", "document", "round", "task"]
        assert "KeyError: &#x27;baccarat/0&#x27;" in page
        assert "Line 2 of feed.ndjson has different content for this stored round." in page
        assert "{&lt;b&gt;" not in page.split("Since")[0]
        assert "OSError: disk full" in page
        assert "Settlement of queued rounds" in page
        assert page.count("Giulia Marchetti") == 2  # once in the person's own menu
        assert "as scheduled" in page
        assert page.count("manually only") == 2

    def test_is_filtered_by_kind_and_owner(self, supervisor: Client) -> None:
        """Both filters combine."""
        open_table()
        work, me = conflict(), User.objects.get(username="supervisor")
        quarantined()
        failing_task()
        settle()
        assign_stuck_work(work=work, owner=me, seen=0, at=NOW, actor=actor_of(me))

        def requested(**filters: str) -> list[str]:
            return sorted(shown(supervisor.get(STUCK, filters).content.decode()))

        assert requested(kind="document") == ["document"]
        assert requested(whose="mine") == ["conflict"]
        assert requested(whose="nobody") == ["document", "task"]
        assert requested(kind="task", whose="mine") == []

    def test_keeps_filters_on_further_pages(self, supervisor: Client) -> None:
        """Sixty items on pages of fifty and ten."""
        open_table()
        ingest(lines(*(f"{{{number}" for number in range(60))))

        first = supervisor.get(STUCK, {"kind": "document"}).content.decode()
        [later] = re.findall(r'rel="next" href="([^"]+)"', first)
        second = supervisor.get(STUCK + later.replace("&amp;", "&")).content.decode()
        [earlier] = re.findall(r'rel="prev" href="([^"]+)"', second)
        again = supervisor.get(STUCK + earlier.replace("&amp;", "&")).content.decode()

        assert (len(shown(first)), len(shown(second))) == (50, 10)
        assert "kind=document" in later
        assert re.findall(r"Line \d+", again) == re.findall(r"Line \d+", first)

    def test_has_a_text_when_it_is_empty(self, supervisor: Client) -> None:
        """Held rounds are not stuck."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()

        page = supervisor.get(STUCK).content.decode()

        assert "The queue is empty" in page


class TestTheHomePage:
    def test_counts_stuck_work_and_says_since_when(self, supervisor: Client) -> None:
        """Resolved items are not counted."""
        open_table()
        me = User.objects.get(username="supervisor")
        works = [conflict(), quarantined(), quarantined("[")]
        settle()
        resolve_stuck_work(work=works[1], reason="seen", seen=0, at=NOW, actor=actor_of(me))

        page = page_html(supervisor.get("/admin/"))

        counts = dict(re.findall(r'count-number">(\d+)</span><span><strong>([^<]+)<', page))
        named = {title: number for number, title in counts.items()}
        assert re.findall(r'count-number">(\d+)<', page) == ["0", "2", "1", "1", "0", "0", "0"]
        assert "oldest since 21 Nov" in page
        assert named["Exceptions queue"] == "2"

    def test_says_that_the_queue_is_empty(self, supervisor: Client) -> None:
        """Waiting rounds are not stuck."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        QueuedRound.objects.update(due_at=timezone.now() + timedelta(minutes=1))

        assert "no open items" in supervisor.get("/admin/").content.decode()


@pytest.mark.django_db
class TestWhoMaySeeStuckWork:
    @pytest.mark.parametrize(
        ("role", "status"),
        [
            ("supervisor", 200),
            ("compliance", 200),
            ("payments", 200),
            ("auditor", 200),
            ("administrator", 403),
        ],
    )
    def test_depends_on_the_role(self, client: Client, role: str, status: int) -> None:
        """Every role that sees rounds; administrators do not."""
        work = failing_task()
        client.force_login(person(role))

        item = f"{STUCK}task/{work.key}/"
        answers = [client.get(STUCK).status_code, client.get(item).status_code]

        assert answers == [status, status]
        assert (STUCK in client.get("/admin/").content.decode()) == (status == 200)

    def test_excludes_anonymous_users(self, client: Client) -> None:
        """They are sent to the login."""
        answer = client.get(STUCK)

        assert answer.status_code == 302
        assert answer.url.startswith("/admin/login/")  # type: ignore[attr-defined]  # a redirect
