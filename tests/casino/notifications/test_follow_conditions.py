"""Conditions: told while they last, to whom they concern, to others in the end."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from casino.access.models import AccessRequest
from casino.notifications.conditions import CONDITIONS
from casino.notifications.follow_conditions import KEPT, follow_conditions
from compliance.notifications.choose import Channels, choose_notifications
from compliance.notifications.kinds import kinds_concerning, notification_kinds
from compliance.notifications.models import Message, Notification
from compliance.trail.actor import Actor
from payouts.cases.remedies import Remedy
from payouts.disputes.models import DisputeStep
from payouts.stuck_work.assign import assign_stuck_work
from payouts.stuck_work.failing_tasks import record_task_failure
from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.work import WorkId
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.notifications.people import somebody
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import append_signed
from tests.compliance.trail.lost_logs import declare, find_loss, lose, signing_persons
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, opened, propose
from tests.payouts.disputes.dispute_scenarios import disputed, take
from tests.payouts.settlement.resettlement_scenarios import GIULIA

pytestmark = pytest.mark.django_db
LATER = timedelta(hours=4)


def follow(at: datetime = NOW) -> None:
    """Looks at all conditions."""
    follow_conditions(at=at, escalate_after=LATER)


def inbox(kind: str) -> list[tuple[str, str, bool]]:
    """The open notifications of a kind: who, of what, whether escalated."""
    rows = Notification.objects.filter(kind=kind, resolved_at=None).select_related("recipient")
    return [
        (row.recipient.username, row.subject, row.is_escalated)
        for row in rows.order_by("recipient__username", "subject")
    ]


def proposed_case() -> Any:
    """A case that Giulia opened and proposed; its account is one of the people."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    case = opened("malfunction", "r-1")
    propose(case, Remedy.VOID)
    return case


@pytest.fixture
def people() -> dict[str, User]:
    """One person in each role, and a second supervisor."""
    roles = ("supervisor", "payments", "compliance", "administrator", "auditor")
    staff = {role: somebody(role, role) for role in roles}
    return {**staff, "second": somebody("second", "supervisor")}


class TestAnApproval:
    def test_awaits_those_who_may_give_it(self, people: dict[str, User]) -> None:
        """Not the proposer, and nobody whose role cannot approve."""
        case = proposed_case()
        User.objects.filter(pk=people["supervisor"].pk).update(username="giulia")
        people["supervisor"].refresh_from_db()
        own = GIULIA.user_id

        follow()

        expected = sorted(
            person.username
            for role, person in people.items()
            if role in {"supervisor", "second", "payments", "compliance"} and person.pk != own
        )
        assert [name for name, _what, _is_escalated in inbox("approval")] == expected
        assert {what for _name, what, _is_escalated in inbox("approval")} == {str(case)}

    def test_is_done_when_somebody_gave_it(self, people: dict[str, User]) -> None:
        """By whatever page, program or task."""
        case = proposed_case()
        follow()
        approve(case)

        follow(NOW + timedelta(minutes=1))

        assert inbox("approval") == []
        assert Notification.objects.filter(kind="approval").exists()

    def test_is_notified_once_however_often_it_is_looked_at(self, people: dict[str, User]) -> None:
        """The sweep runs every fifteen seconds."""
        proposed_case()
        follow()
        before = Message.objects.count(), Notification.objects.count()

        follow()

        assert (Message.objects.count(), Notification.objects.count()) == before

    def test_is_urgent_and_unread_again_if_nobody_acts(self, people: dict[str, User]) -> None:
        """Reading is not acting."""
        proposed_case()
        follow()
        Notification.objects.update(read_at=NOW)

        follow(NOW + LATER)

        assert {is_escalated for _name, _what, is_escalated in inbox("approval")} == {True}
        assert not Notification.objects.exclude(read_at=None).exists()

    def test_is_in_the_chat_once_and_once_more_if_nobody_acts(
        self, people: dict[str, User]
    ) -> None:
        """The second line says so, also where the others are the first to have chosen the chat."""
        for person in (people["administrator"], people["compliance"]):
            choose_notifications(
                person=person, channels={"approval": Channels(False, True)}, quiet=None, at=NOW
            )
        AccessRequest.objects.create(
            kind=AccessRequest.Kind.FACTORS,
            person=people["payments"],
            requested_by=somebody("chiara", "administrator"),
            reason="lost",
            requested_at=NOW,
        )

        for hours in range(0, 24, 4):
            follow(NOW + timedelta(hours=hours))

        chats = Message.objects.filter(channel=Message.Channel.CHAT, notification__kind="approval")
        assert [
            (chat.notification.recipient.username, chat.due_at - NOW)
            for chat in chats.order_by("pk")
        ] == [
            ("administrator", timedelta()),
            ("compliance", LATER),
        ]


class TestADispute:
    def test_is_notified_to_who_has_taken_it_and_then_to_all(self, people: dict[str, User]) -> None:
        """On its last working day to its owner, overdue first to the owner, then to others."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        dispute = disputed()
        owner = people["second"]
        take(dispute, actor=Actor("Second", owner.pk))
        step = DisputeStep.objects.filter(dispute=dispute).order_by("-sequence")[0]
        assert step.remind_at is not None
        assert step.due_at is not None

        follow(step.remind_at)
        soon = inbox("dispute_due")
        follow(step.due_at)
        overdue = inbox("dispute_due"), inbox("dispute_overdue")
        follow(step.due_at + LATER)

        assert soon == [("second", str(dispute), False)]
        assert overdue == ([], [("second", str(dispute), False)])
        assert [name for name, *_rest in inbox("dispute_overdue")] == [
            "compliance",
            "payments",
            "second",
            "supervisor",
        ]


class TestAnException:
    def test_of_nobody_is_notified_as_a_kind(self, people: dict[str, User]) -> None:
        """A broken feed brings thousands: one notification a person."""
        ingest([b"{}", b"[]"])

        follow()

        assert [(name, what) for name, what, _is_escalated in inbox("exception")] == [
            ("compliance", "Quarantine"),
            ("second", "Quarantine"),
            ("supervisor", "Quarantine"),
        ]

    def test_that_is_assigned_is_notified_to_its_person(self, people: dict[str, User]) -> None:
        """The kind is no longer anybody's, and its notification is done."""
        for _ in range(3):
            record_task_failure(task="exports.build", error="disk", takes_arguments=False, at=NOW)
        follow()
        work = WorkId(WorkKind.TASK, FailingTask.objects.get().pk)
        assign_stuck_work(
            work=work, owner=people["second"], note="", seen=0, at=NOW, actor=Actor("Giulia", 1)
        )

        follow()

        assert inbox("exception") == [("second", "exports.build", False)]


class TestLostRecordsOfTheLog:
    def test_await_those_who_may_declare_them(self, people: dict[str, User]) -> None:
        """Until the log was continued."""
        signing_persons()
        witnessed = lose(3, after=[5])
        loss = find_loss(witnessed)
        follow()
        found = inbox("alarm")

        declare(loss)
        append_signed(witnessed=witnessed)
        follow()

        subject = "The audit log has lost records"
        expected = [(name, subject, False) for name in ("administrator", "compliance")]
        assert [line for line in found if line[1] == subject] == expected
        assert subject not in {line[1] for line in inbox("alarm")}


class TestOldNotifications:
    def test_are_deleted_if_they_were_read_or_are_done(self, people: dict[str, User]) -> None:
        """What is unread and lasts stays, however old."""
        proposed_case()
        follow()
        Notification.objects.filter(recipient=people["payments"]).update(read_at=NOW)

        follow(NOW + KEPT + timedelta(seconds=1))

        assert not Notification.objects.filter(created_at=NOW, read_at=NOW).exists()


class TestKinds:
    def test_have_conditions_that_are_declared(self) -> None:
        """Else the sweep would fail."""
        assert CONDITIONS.keys() - notification_kinds().keys() == set()

    def test_are_offered_to_whom_they_can_concern(
        self, people: dict[str, User], settings: Settings, tmp_path: Path
    ) -> None:
        """An administrator has nothing to do with disputes and money, others none with webhooks."""
        settings.SOFTWARE_KEYS, settings.VAR_DIR = True, tmp_path
        for person in people.values():
            give_phone(person)

        offered = {
            role: {kind.name for kind in kinds_concerning(people[role])}
            for role in ("administrator", "supervisor")
        }

        assert offered["administrator"] == {"approval", "expiry", "webhook"}
        assert offered["supervisor"] == notification_kinds().keys() - {"webhook"}
