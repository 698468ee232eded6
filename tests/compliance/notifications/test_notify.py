"""Whom a notification reaches, and by which channels."""

from datetime import UTC, datetime, time

import pytest
from django.contrib.auth.models import User

from compliance.notifications.choose import Channels, Quiet, choose_notifications
from compliance.notifications.inbox import mark_read, notifications_of, unread_of
from compliance.notifications.kinds import UnknownKind
from compliance.notifications.models import Message, Notification
from compliance.notifications.notify import notify
from compliance.trail.models import AuditRecord
from tests.casino.notifications.people import somebody

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 11, 22, 1, tzinfo=UTC)
"""2:00 in Rome."""
MORNING = datetime(2026, 11, 22, 6, tzinfo=UTC)
QUIET = Quiet(time(22), time(7), lets_alarms_through=True)


def notified(*persons: User, kind: str = "approval", key: str = "case:1") -> list[Notification]:
    """Notifies these people in the night."""
    return notify(
        persons=persons, kind=kind, key=key, subject="C-0001", address="/admin/cases/1/", at=NIGHT
    )


def messages() -> list[tuple[str, str, datetime]]:
    """The messages that wait: channel, recipient, time."""
    rows = Message.objects.order_by("pk").select_related("notification__recipient")
    return [(row.channel, row.notification.recipient.username, row.due_at) for row in rows]


class TestNotify:
    def test_tells_each_person_once(self) -> None:
        """A repeated call, as by a task that ran twice, does nothing."""
        ada, bruno = somebody("ada"), somebody("bruno")
        notified(ada)

        again = notified(ada, bruno)

        assert [row.recipient for row in again] == [bruno]
        assert messages() == [("mail", "ada", NIGHT), ("mail", "bruno", NIGHT)]

    def test_tells_again_of_what_came_back(self) -> None:
        """A condition that ended and returned is news."""
        ada = somebody("ada")
        notified(ada)
        Notification.objects.update(resolved_at=NIGHT)

        notified(ada)

        assert (notifications_of(ada).count(), unread_of(ada).count()) == (2, 1)

    def test_leaves_out_closed_accounts(self) -> None:
        """Nobody reads them."""
        gone = somebody("gone")
        gone.is_active = False

        assert notified(gone) == []

    def test_refuses_a_kind_that_nobody_declares(self) -> None:
        """A notification without a label could be neither shown nor chosen."""
        with pytest.raises(UnknownKind):
            notified(somebody("ada"), kind="gossip")


class TestChannels:
    def test_are_those_that_a_person_chose(self) -> None:
        """Approvals are mailed unless somebody wants the chat instead."""
        ada, bruno = somebody("ada"), somebody("bruno")
        choose_notifications(
            person=bruno, channels={"approval": Channels(False, True)}, quiet=None, at=NIGHT
        )

        notified(ada, bruno)

        assert messages() == [("mail", "ada", NIGHT), ("chat", "bruno", NIGHT)]

    def test_the_chat_is_notified_once_by_whoever_is_first_awake(self) -> None:
        """One line, however many people chose it, also for who is told later."""
        ada, bruno, carla = somebody("ada"), somebody("bruno"), somebody("carla")
        for person, quiet in ((ada, QUIET), (bruno, None), (carla, None)):
            choose_notifications(
                person=person, channels={"approval": Channels(False, True)}, quiet=quiet, at=NIGHT
            )

        notified(ada, bruno)
        notified(carla)

        assert messages() == [("chat", "bruno", NIGHT)]

    def test_wait_for_the_end_of_quiet_hours(self) -> None:
        """The inbox has it at once."""
        ada = somebody("ada")
        choose_notifications(person=ada, channels={}, quiet=QUIET, at=NIGHT)

        notified(ada)

        assert messages() == [("mail", "ada", MORNING)]
        assert unread_of(ada).count() == 1

    @pytest.mark.parametrize(("lets_through", "due_at"), [(True, NIGHT), (False, MORNING)])
    def test_alarms_break_through_if_the_person_lets_them(
        self, lets_through: bool, due_at: datetime
    ) -> None:
        """Each person decides."""
        ada = somebody("ada")
        quiet = QUIET._replace(lets_alarms_through=lets_through)
        choose_notifications(person=ada, channels={}, quiet=quiet, at=NIGHT)

        notified(ada, kind="alarm")

        assert messages()[0] == ("mail", "ada", due_at)

    def test_a_choice_is_recorded(self) -> None:
        """Who no longer gets alarms by e-mail may be asked why."""
        ada = somebody("ada")

        choose_notifications(
            person=ada, channels={"alarm": Channels(False, False)}, quiet=QUIET, at=NIGHT
        )

        record = AuditRecord.objects.get(action="NOTIFICATIONS_CHOSEN")
        assert (record.subject, record.details) == (
            f"user:{ada.pk}",
            {"channels": {"alarm": [False, False]}, "quiet_hours": ["22:00", "07:00", True]},
        )


class TestReading:
    def test_is_of_the_own_inbox_only(self) -> None:
        """Whatever rows are asked for."""
        ada, bruno = somebody("ada"), somebody("bruno")
        notified(ada, bruno)

        number = mark_read(Notification.objects.all(), person=ada, at=MORNING)

        assert number == 1
        assert (unread_of(ada).count(), unread_of(bruno).count()) == (0, 1)
