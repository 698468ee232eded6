"""The bell, the list of a person's notifications, and their settings."""

from datetime import datetime, time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.notifications.choose import Channels, Quiet, channels_of, quiet_hours_of
from compliance.notifications.kinds import kinds_concerning
from compliance.notifications.models import Notification
from tests.casino_in_play import NOW

pytestmark = pytest.mark.django_db


def notified(person: User, number: int = 1, *, kind: str = "approval", at: datetime = NOW) -> None:
    """So many notifications of a person."""
    Notification.objects.bulk_create(
        Notification(
            recipient=person,
            kind=kind,
            key=f"case:{kind}:{case}",
            subject=f"C-{case:04}",
            address=f"/admin/cases/{case}/",
            created_at=at,
        )
        for case in range(number)
    )


@pytest.fixture
def person(supervisor: Client) -> User:
    """The one who is logged in."""
    return User.objects.get(username="supervisor")


def badge_of(client: Client) -> dict[str, object]:
    """The bell as pages ask for it."""
    unread: dict[str, object] = client.get("/admin/waiting/").json()["inbox"]
    return unread


class TestTheBadge:
    def test_counts_exactly(self, supervisor: Client, person: User) -> None:
        """Plain digits up to 99, and then not “99+”: who has 1,234 wants to know."""
        notified(person, 99)
        plain = badge_of(supervisor)
        notified(person, 1_135, kind="alarm")

        assert plain == {"number": 99, "text": "99", "label": "99 unread notifications"}
        assert badge_of(supervisor)["text"] == "1,234"

    def test_does_not_count_what_is_done(self, supervisor: Client, person: User) -> None:
        """Somebody else has acted."""
        notified(person)
        Notification.objects.update(resolved_at=NOW)

        assert badge_of(supervisor) == {"number": 0, "text": "0", "label": "Notifications"}


class TestTheInbox:
    def test_shows_only_the_own_notifications(self, supervisor: Client, person: User) -> None:
        """Nobody reads another's, whatever the role."""
        other = User.objects.create_user("other")
        notified(other)
        notified(person, kind="alarm")

        page = supervisor.get("/admin/notifications/").content.decode()

        assert "Alarm" in page
        assert supervisor.post(f"/admin/notifications/{other_row(other)}/").status_code == 404

    def test_is_filtered_by_kind_state_and_day(self, supervisor: Client, person: User) -> None:
        """The filters of every list."""
        notified(person, 2)
        notified(person, 1, kind="alarm")
        Notification.objects.filter(kind="alarm").update(read_at=NOW)

        numbers = [
            len(supervisor.get(f"/admin/notifications/?{query}").context["rows"])
            for query in ("", "kind=alarm", "state=unread", "state=done", "from=2027-01-01")
        ]

        assert numbers == [3, 1, 2, 0, 0]

    def test_opening_one_marks_it_as_read_and_leads_to_its_page(
        self, supervisor: Client, person: User
    ) -> None:
        """One click."""
        notified(person)
        row = Notification.objects.get()

        answer = supervisor.post(f"/admin/notifications/{row.pk}/")

        row.refresh_from_db()
        assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/cases/0/")
        assert row.read_at is not None

    def test_marks_all_that_was_shown_as_read(self, supervisor: Client, person: User) -> None:
        """What arrived since the page was loaded stays unread."""
        notified(person, 2)
        newest = supervisor.get("/admin/notifications/").context["newest"]
        notified(person, 1, kind="alarm")

        supervisor.post("/admin/notifications/read/", {"newest": newest})

        assert Notification.objects.get(read_at=None).kind == "alarm"


class TestTheSettings:
    def test_begin_with_the_channels_of_the_kinds(self, supervisor: Client) -> None:
        """Nobody has to choose anything; without a chat there is none to choose."""
        page = supervisor.get("/admin/notifications/settings/").content.decode()

        assert 'name="mail-approval" checked' in page
        assert 'name="mail-exception"\n' in page
        assert "chat-approval" not in page

    def test_are_stored(self, supervisor: Client, person: User, settings: Settings) -> None:
        """An unchecked box is a choice."""
        settings.CHAT_CHANNEL = "#sabot"

        supervisor.post(
            "/admin/notifications/settings/",
            {
                "chat-approval": "on",
                "begins_at": "22:00",
                "ends_at": "07:30",
                "lets_alarms_through": "on",
            },
        )

        chosen = channels_of(person, kinds_concerning(person))
        assert (chosen["approval"], chosen["alarm"]) == (
            Channels(by_mail=False, in_chat=True),
            Channels(by_mail=False, in_chat=False),
        )
        assert quiet_hours_of(person) == Quiet(time(22), time(7, 30), lets_alarms_through=True)

    def test_need_both_ends_of_the_quiet_hours(self, supervisor: Client, person: User) -> None:
        """And keep what else was entered."""
        answer = supervisor.post(
            "/admin/notifications/settings/", {"mail-exception": "on", "begins_at": "22:00"}
        )

        assert "Enter both times, or none." in answer.content.decode()
        assert 'name="mail-exception" checked' in answer.content.decode()
        assert quiet_hours_of(person) is None

    def test_without_quiet_hours_there_are_none(self, supervisor: Client, person: User) -> None:
        """Emptying both fields removes them."""
        supervisor.post(
            "/admin/notifications/settings/", {"begins_at": "22:00", "ends_at": "07:00"}
        )

        supervisor.post("/admin/notifications/settings/", {"begins_at": "", "ends_at": ""})

        assert quiet_hours_of(person) is None


def other_row(person: User) -> int:
    """The number of a person's only notification."""
    return int(Notification.objects.get(recipient=person).pk)


def test_pages_follow_topics_and_those_of_auditors_ask(client: Client, supervisor: Client) -> None:
    """Each page that is sent to an auditor is recorded, so it is not sent without a click."""
    page = supervisor.get("/admin/cases/").content.decode()

    assert ' data-live="case" data-live-list' in page
    assert "data-live-ask" not in page
    assert f'data-since="{str(timezone.now().timestamp())[:6]}' in page
