"""The person concerned and compliance are notified of every change of access."""

import smtplib
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.access.models import AccessNotice, AccessRequest
from casino.access.notices import send_notices
from casino.tasks import send_access_notices_task
from tests.casino.backoffice.people.people import PEOPLE, ask, browser_of, decide, somebody
from tests.casino.backoffice.second_factors import code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer(db: None) -> User:
    """A compliance officer."""
    return somebody("officer", "compliance", email="officer@casino.example")


class RefusesOne(EmailBackend):
    """A mail server that refuses one address."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Sends all messages or none."""
        if any("clerk@casino.example" in message.to for message in messages):
            raise smtplib.SMTPRecipientsRefused({})
        return super().send_messages(messages)


class TestANotice:
    def test_is_mailed_to_the_person_and_to_compliance(
        self, at_ada: Client, ada: User, clerk: User, officer: User
    ) -> None:
        """When the change is requested, so that there is time to object."""
        ask(at_ada, ada, clerk, "factors")

        send_access_notices_task()

        assert sorted(message.to[0] for message in mail.outbox) == [
            "clerk@casino.example",
            "officer@casino.example",
        ]
        assert "ada" in mail.outbox[0].body
        assert "clerk" in mail.outbox[0].subject

    def test_follows_every_step(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """Requested, approved, done."""
        ask(at_ada, ada, clerk, "factors")
        decide(at_bruno, bruno, AccessRequest.objects.get())

        actions = AccessNotice.objects.order_by("pk").values_list("action", flat=True)

        assert list(actions) == ["ACCESS_REQUESTED", "ACCESS_APPROVED", "FACTORS_RESET"]

    def test_is_mailed_once(self, at_ada: Client, ada: User, clerk: User) -> None:
        """In repeated runs of the worker."""
        ask(at_ada, ada, clerk, "factors")

        sent = [send_notices(at=timezone.now()) for _ in range(2)]

        assert (sent, len(mail.outbox)) == ([1, 0], 1)

    def test_that_cannot_be_mailed_is_retried(
        self, at_ada: Client, ada: User, clerk: User, officer: User, settings: Settings
    ) -> None:
        """Other notices are sent; the task fails and is retried."""
        ask(at_ada, ada, clerk, "factors")
        settings.EMAIL_BACKEND = f"{__name__}.{RefusesOne.__name__}"
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            send_notices(at=timezone.now())
        before = [message.to for message in mail.outbox]

        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        send_notices(at=timezone.now())

        assert before == [["officer@casino.example"]]
        assert len(mail.outbox) == 2

    def test_of_a_changed_address_goes_to_both(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """The former address is notified, too."""
        form = {"first_name": "C", "last_name": "K", "email": "ada@casino.example"}

        at_ada.post(f"{PEOPLE}{clerk.pk}/details/", {**form, "code": code_of(ada)})
        send_notices(at=timezone.now())

        assert {message.to[0] for message in mail.outbox} == {
            "ada@casino.example",
            "clerk@casino.example",
        }

    def test_is_on_today_until_it_is_acknowledged(
        self, at_ada: Client, ada: User, clerk: User, officer: User
    ) -> None:
        """By each recipient."""
        ask(at_ada, ada, clerk, "factors")
        desk, other = browser_of(clerk), browser_of(officer)
        newest = AccessNotice.objects.get(recipient=clerk)
        before = "your own account" in desk.get("/admin/").content.decode()

        desk.post("/admin/notices/", {"newest": str(newest.pk)})

        assert before
        assert "your own account" not in desk.get("/admin/").content.decode()
        assert "Recent access changes" in other.get("/admin/").content.decode()

    @pytest.mark.parametrize("newest", ["", "x", "-1", "9" * 18, "9" * 500, "0"])
    def test_is_never_acknowledged_by_another_person(
        self, at_ada: Client, ada: User, clerk: User, officer: User, newest: str
    ) -> None:
        """A forged form changes nothing."""
        ask(at_ada, ada, clerk, "factors")

        answer = browser_of(officer).post("/admin/notices/", {"newest": newest})

        assert answer.status_code == 302
        assert AccessNotice.objects.get(recipient=clerk).acknowledged_at is None

    def test_of_a_pending_request_leads_the_other_administrator_to_it(
        self, at_ada: Client, at_bruno: Client, ada: User, clerk: User
    ) -> None:
        """On Today, except for the requester."""
        ask(at_ada, ada, clerk, "factors")

        words = "1 access change awaiting your approval"

        assert words in at_bruno.get("/admin/").content.decode()
        assert words not in at_ada.get("/admin/").content.decode()
