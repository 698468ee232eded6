"""The page of one piece of stuck work: what it shows, and what a person may do there."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from celery import Celery
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.celery import app
from compliance.trail.people import actor_of
from payouts.settlement.models import Settlement
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.failing_tasks import record_task_success
from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind
from payouts.stuck_work.steps import latest_step, steps_of
from payouts.stuck_work.work import WorkId
from rounds import wake_workers
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound, Round
from tests.casino.backoffice.conftest import page_of, person
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import (
    conflict,
    failing_round,
    failing_task,
    quarantined,
)
from tests.processes import Worker, wait_until


@pytest.fixture(autouse=True)
def _notifier_that_was_never_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a broker that was away a bell is silent for a while, also for the next test."""
    monkeypatch.setattr(wake_workers, "_notifier", wake_workers._Notifier())


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The broker is away."""
    monkeypatch.setenv("CELERY_BROKER_URL", "redis+socket:///nowhere/valkey.sock")
    Celery("away").set_default()
    yield
    app.set_default()
    app.set_current()


def item(work: WorkId, action: str = "") -> str:
    """The address of a piece of work, or of something that is done about it."""
    return f"/admin/stuck/{work.kind.value}/{work.key}/{action}"


def read(client: Client, work: WorkId) -> str:
    """The page."""
    return client.get(item(work)).content.decode()


def act(client: Client, work: WorkId, action: str, **said: object) -> str:
    """Posts what the page's form posts; gives the page that follows."""
    answer = client.post(item(work, f"{action}/"), {"seen": 0, **said}, follow=True)
    assert answer.redirect_chain == [(item(work), 302)]
    return answer.content.decode()


def me() -> User:
    """The supervisor."""
    return User.objects.get(username="supervisor")


class TestThePage:
    def test_of_a_round_shows_its_error_its_tries_and_that_it_cannot_be_closed(
        self, supervisor: Client
    ) -> None:
        """What there is to know before somebody is called."""
        open_table()
        work = failing_round()

        page = read(supervisor, work)

        assert "KeyError: &#x27;baccarat/0&#x27;" in page
        assert re.findall(r"Attempts</dt><dd>(\d+)<", page) == ["3"]
        assert "No actions yet." in page
        assert "A round cannot be resolved manually" in page
        assert "/resolve/" not in page

    def test_of_a_conflict_leads_to_both_contents_and_offers_no_try(
        self, supervisor: Client
    ) -> None:
        """No try would make the two stories one."""
        open_table()
        work = conflict()

        page = read(supervisor, work)

        assert f"/admin/rounds/conflictingdocument/{work.key}/change/" in page
        assert "/resolve/" in page
        assert "/retry/" not in page

    def test_of_a_document_says_what_is_needed_and_whether_its_round_came(
        self, supervisor: Client
    ) -> None:
        """The table was registered later, and the feed brought the round again."""
        work = quarantined(baccarat_round("r-1"))
        before = read(supervisor, work)
        open_table()
        ingest(lines(baccarat_round("r-1")))

        after = read(supervisor, work)

        assert "a registered table" in before
        assert "A round with this ID is stored" not in before
        assert "A round with this ID is stored" in after

    def test_of_a_task_with_arguments_offers_no_run(self, supervisor: Client) -> None:
        """A button that cannot work is not there; its reason is."""
        work = failing_task()
        FailingTask.objects.update(takes_arguments=True)

        page = read(supervisor, work)

        assert "/retry/" not in page
        assert "called with arguments" in page

    def test_of_a_task_that_has_recovered_says_so(self, supervisor: Client) -> None:
        """Whoever was called finds that there is nothing left to do."""
        work = failing_task()
        record_task_success(task="payouts.settle_rounds", at=NOW + timedelta(minutes=9))

        page = read(supervisor, work)

        assert "Recovered" in page
        assert "/assign/" not in page

    def test_of_a_round_that_waits_no_more_says_so_and_keeps_its_history(
        self, supervisor: Client
    ) -> None:
        """The sweep changed this case than the supervisor."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        work = WorkId(WorkKind.ROUND, QueuedRound.objects.get().pk)
        note = "who is on call?"
        assign_stuck_work(work=work, owner=me(), note=note, seen=0, at=NOW, actor=actor_of(me()))
        settle()

        page = read(supervisor, work)

        assert "The round is no longer in the queue" in page
        assert note in page
        assert "/assign/" not in page

    @pytest.mark.parametrize(
        "address",
        [
            "round/01a1fff1-f750-7f2a-9e13-71ecf8645298/",
            "round/7/",
            "task/7/",
            "document/x/",
            "nothing/7/",
        ],
    )
    def test_of_nothing_is_not_found(self, supervisor: Client, address: str) -> None:
        """Whatever stands in an address."""
        assert supervisor.get(f"/admin/stuck/{address}").status_code == 404
        assert supervisor.post(f"/admin/stuck/{address}assign/").status_code in {302, 404}
        assert not StuckWorkStep.objects.exists()


class TestWhoHasIt:
    def test_is_whoever_takes_it(self, supervisor: Client) -> None:
        """One click."""
        work = failing_task()

        page = act(supervisor, work, "assign", owner=me().pk)

        step = latest_step(work)
        assert step is not None
        assert (step.owner, step.actor, step.actor_user_id) == (me(), "supervisor", me().pk)
        assert "Assigned to supervisor." in page

    def test_is_whom_it_is_given_to_with_a_note(self, supervisor: Client) -> None:
        """The choice offers those who may handle it and nobody else."""
        work, other, looker = failing_task(), person("compliance"), person("auditor")

        offered = read(supervisor, work)
        page = act(supervisor, work, "assign", owner=other.pk, note="<i>your table</i>")

        assert f'<option value="{other.pk}"' in offered
        assert f'<option value="{looker.pk}"' not in offered
        assert "Assigned to compliance." in page
        assert "&lt;i&gt;your table&lt;/i&gt;" in page

    def test_is_whoever_has_an_account_of_many_digits(self, supervisor: Client) -> None:
        """Numbers of accounts stand in the form without separators."""
        work = failing_task()
        late = User.objects.create_user("late", id=1_001_122, is_staff=True)
        late.groups.set(me().groups.all())
        give_phone(late)

        supervisor.cookies["django_language"] = "it"
        chosen = re.findall(r'<option value="([^"]+)">late<', read(supervisor, work))
        supervisor.force_login(late)
        offered = re.findall(r'name="owner" value="([^"]+)"', read(supervisor, work))

        assert (chosen, offered) == ([str(late.pk)], [str(late.pk)])

    def test_can_be_nobody_again(self, supervisor: Client) -> None:
        """Whoever goes home gives it back."""
        work = failing_task()
        act(supervisor, work, "assign", owner=me().pk)

        page = act(supervisor, work, "assign", owner="", seen=1)

        assert "The item is unassigned." in page

    def test_cannot_be_one_who_only_looks(self, supervisor: Client) -> None:
        """Also where somebody posts what the page does not offer."""
        work, looker = failing_task(), person("auditor")

        page = act(supervisor, work, "assign", owner=looker.pk)

        assert "auditor has no permission for the exceptions queue." in page
        assert latest_step(work) is None

    def test_is_reported_to_the_one_who_came_second(self, supervisor: Client) -> None:
        """Both looked at the same page; the second changes nothing and sees who has it."""
        work, first = failing_task(), person("compliance")
        assign_stuck_work(work=work, owner=first, seen=0, at=NOW, actor=actor_of(first))

        page = act(supervisor, work, "assign", owner=me().pk)

        assert "compliance already updated this item (Assigned, 21 Nov, 23:00:00)" in page
        assert "Assigned to compliance." in page
        assert [step.owner for step in steps_of(work)] == [first]

    @pytest.mark.parametrize("seen", ["", "x", "-1"])
    def test_needs_a_form_of_ours(self, supervisor: Client, seen: str) -> None:
        """Without what the person saw nobody can tell whether it still holds."""
        work = failing_task()

        act(supervisor, work, "assign", owner=me().pk, seen=seen)

        assert latest_step(work) is None


class TestARetry:
    def test_of_a_round_lets_a_worker_settle_it(
        self, client: Client, worker: Worker, broker: str
    ) -> None:
        """A real worker, a round whose pause would last ten minutes, one click."""
        client.force_login(person("supervisor"))
        open_table()
        ingest(lines(baccarat_round("r-1")))
        due_at = timezone.now() + timedelta(minutes=10)
        QueuedRound.objects.update(attempts=9, last_error="OSError: disk full", due_at=due_at)
        round_id = QueuedRound.objects.get().pk

        act(client, WorkId(WorkKind.ROUND, round_id), "retry")
        wait_until(Settlement.objects.exists, what="the worker has settled it")

        assert not QueuedRound.objects.exists()

    def test_of_a_round_that_is_settled_by_now_says_so(self, supervisor: Client) -> None:
        """Nothing had to be done."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        page = act(supervisor, WorkId(WorkKind.ROUND, Round.objects.get().pk), "retry")

        assert "The item is no longer in the queue." in page

    def test_of_a_task_asks_the_workers_for_it(self, supervisor: Client, broker: str) -> None:
        """The broker takes it."""
        page = act(supervisor, failing_task(), "retry")

        assert "Task scheduled. A worker runs it within seconds." in page

    def test_of_a_task_says_that_the_broker_is_away(
        self, supervisor: Client, no_broker: None
    ) -> None:
        """The try is on record, and the person knows that it did not start."""
        page = act(supervisor, failing_task(), "retry")

        assert "The message broker is unavailable" in page

    def test_of_a_document_takes_it_or_says_why_not(self, supervisor: Client) -> None:
        """First without its table, then with it."""
        work = quarantined(baccarat_round("r-1"))
        refused = act(supervisor, work, "retry")
        open_table()

        taken = act(supervisor, work, "retry", seen=1)

        assert "The document was rejected again" in refused
        assert "a registered table" in refused
        assert "Document accepted." in taken
        assert Round.objects.get().reference == "r-1"

    def test_of_a_conflict_says_that_there_is_nothing_to_try(self, supervisor: Client) -> None:
        """The page offers none; whoever posts one is told."""
        open_table()
        work = conflict()

        page = act(supervisor, work, "retry")

        assert "A conflict cannot be retried" in page
        assert latest_step(work) is None


class TestAnEnd:
    def test_needs_a_reason(self, supervisor: Client) -> None:
        """Asked by the browser, and by us."""
        work = quarantined()

        page = act(supervisor, work, "resolve", note="  ")

        assert re.search(r'<textarea name="note"[^>]* required>', page)
        assert "Nothing was changed" in page
        assert latest_step(work) is None

    def test_shows_who_said_what_on_every_page_of_the_document(self, supervisor: Client) -> None:
        """The work's page, the list, the round's page; the conflict does not alarm any more."""
        open_table()
        work = conflict()
        settle()

        page = act(supervisor, work, "resolve", note="sent twice by the studio")

        listed = supervisor.get("/admin/rounds/conflictingdocument/").content.decode()
        own = supervisor.get(f"/admin/rounds/conflictingdocument/{work.key}/change/")
        round_page = supervisor.get(page_of("r-c")).content.decode()
        assert "Resolved" in page
        assert "Reopen and assign to me" in page
        assert "Resolved" in listed
        assert "Resolved by and resolution" in own.content.decode()
        assert "supervisor resolved it on" in round_page
        assert "sent twice by the studio" in round_page
        assert "icon-cross" not in re.findall(r"<header.*?</header>", round_page, re.DOTALL)[-1]
        assert ConflictingDocument.objects.count() == 1

    def test_can_be_taken_back_by_opening_it_again(self, supervisor: Client) -> None:
        """Nothing is edited: a step more, and it is on the list again."""
        work = quarantined()
        act(supervisor, work, "resolve", note="wrong one")

        page = act(supervisor, work, "assign", owner=me().pk, seen=1)

        assert "Mark as resolved" in page
        assert [step.action for step in steps_of(work)] == ["resolved", "assigned"]
        assert "Line 1 of feed.ndjson" in supervisor.get("/admin/stuck/").content.decode()
        assert QuarantinedDocument.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["assign", "retry", "resolve"])
class TestAnAction:
    @pytest.mark.parametrize("role", ["auditor", "payments", "administrator"])
    def test_is_forbidden_to_whoever_only_looks(
        self, client: Client, role: str, action: str
    ) -> None:
        """The page says so and has no button; the address refuses."""
        work, looker = failing_task(), person(role)
        client.force_login(looker)
        client.cookies["django_language"] = "en"

        said = {"seen": 0, "owner": looker.pk, "note": "x"}
        answer = client.post(item(work, f"{action}/"), said)

        assert answer.status_code == 403
        assert latest_step(work) is None
        assert f"/{action}/" not in read(client, work)

    @pytest.mark.parametrize("role", ["supervisor", "compliance"])
    def test_is_done_by_those_who_may(
        self, client: Client, broker: str, role: str, action: str
    ) -> None:
        """Named in the step."""
        work, handler = failing_task(), person(role)
        client.force_login(handler)

        act(client, work, action, owner=handler.pk, note="x")

        step = latest_step(work)
        assert step is not None
        assert step.actor == role

    def test_leads_to_the_login_without_one(self, client: Client, action: str) -> None:
        """Whoever was logged out meanwhile does nothing."""
        work = failing_task()

        answer = client.post(item(work, f"{action}/"), {"seen": 0, "note": "x"})

        assert answer.status_code == 302
        assert latest_step(work) is None

    def test_is_refused_from_another_site(self, action: str) -> None:
        """A form that is not ours lacks the token."""
        work = failing_task()
        client = Client(enforce_csrf_checks=True)
        client.force_login(person("supervisor"))

        answer = client.post(item(work, f"{action}/"), {"seen": 0, "note": "x"})

        assert answer.status_code == 403
        assert latest_step(work) is None

    def test_is_never_done_by_a_link(self, supervisor: Client, action: str) -> None:
        """A link may be followed by machines."""
        work = failing_task()

        assert supervisor.get(item(work, f"{action}/")).status_code == 405
        assert latest_step(work) is None
