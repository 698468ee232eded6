"""Failed webhook deliveries are retried in order a limited number of times."""

from http.server import BaseHTTPRequestHandler

import pytest

from casino.integrations.change_webhook import (
    resend_dead_letter,
    resume_webhook,
)
from casino.integrations.deliver_events import MOST_DEAD, PAUSES, webhooks_due
from casino.integrations.models import DeadLetter
from compliance.trail.models import AuditRecord
from tests.casino.api.api_client import ADMINISTRATOR
from tests.casino.api.events.deliveries import HOUR, exhaust, rounds_of, state_of
from tests.casino.api.events.event_scenarios import deliver, settled_rounds, webhook_to
from tests.casino.api.events.receiver import receiving
from tests.casino_in_play import NOW, open_table

pytestmark = pytest.mark.django_db


class TestAnEventThatIsNotTaken:
    @pytest.mark.slow
    def test_is_retried_after_growing_pauses_in_order(self) -> None:
        """Later events wait until a refused event is accepted."""
        open_table()
        settled_rounds("r-1")
        settled_rounds("r-2")
        with receiving(lambda _handler, number: 500 if number < 3 else 200) as receiver:
            added = webhook_to(receiver.url)
            at = NOW
            for pause in PAUSES[:3]:
                deliver(added.webhook, at=at)
                deliver(added.webhook, at=at + pause * 0.99)
                at += pause * 1.21
            deliver(added.webhook, at=at)

        assert rounds_of(receiver) == ["r-1", "r-1", "r-1", "r-1", "r-2"]
        assert len(set(receiver.ids())) == 2

    def test_becomes_a_dead_letter_after_the_last_retry(self) -> None:
        """The dead letter has the error and is recorded; the next event is sent."""
        open_table()
        settled_rounds("r-1")
        settled_rounds("r-2")
        attempts = len(PAUSES) + 1
        with receiving(lambda _h, number: 503 if number < attempts else 200) as receiver:
            added = webhook_to(receiver.url)
            exhaust(added.webhook, at=NOW)

        assert rounds_of(receiver) == ["r-1"] * attempts + ["r-2"]
        letter = DeadLetter.objects.get()
        assert (letter.number, letter.attempts, letter.status) == (1, attempts, 503)
        assert (letter.error, letter.type) == ("answered 503", "round.settled")
        subject = f"webhook:{added.webhook.pk}"
        [record] = AuditRecord.objects.filter(action="WEBHOOK_EVENT_DEAD", subject=subject)
        assert record.details["event"] == str(letter.event_id)

    @pytest.mark.slow
    def test_stops_the_webhook_after_three_dead_letters(self) -> None:
        """Later events wait until the webhook is resumed."""
        open_table()
        references = [f"r-{number}" for number in range(MOST_DEAD + 1)]
        for reference in references:
            settled_rounds(reference)
        with receiving(500) as receiver:
            added = webhook_to(receiver.url)
            at = NOW
            for _letter in range(MOST_DEAD):
                at = exhaust(added.webhook, at=at)
            stopped, sent = state_of(added.webhook), len(receiver.messages)
            deliver(added.webhook, at=at + 100 * HOUR)
            assert stopped.stopped_at is not None
            assert len(receiver.messages) == sent
            receiver.answer = lambda _handler, _number: 200
            resume_webhook(webhook=added.webhook, at=at, actor=ADMINISTRATOR)
            deliver(added.webhook, at=at)

        assert rounds_of(receiver)[sent:] == references[MOST_DEAD:]
        assert DeadLetter.objects.count() == MOST_DEAD

    @pytest.mark.slow
    def test_can_be_resent_under_its_id(self) -> None:
        """Two orders to resend it send it once; the order has the answer."""
        open_table()
        settled_rounds("r-1")
        with receiving(500) as receiver:
            added = webhook_to(receiver.url)
            exhaust(added.webhook, at=NOW)
            receiver.answer = lambda _handler, _number: 200
            letter, before = DeadLetter.objects.get(), len(receiver.messages)
            order = resend_dead_letter(letter=letter, at=NOW, actor=ADMINISTRATOR)
            assert resend_dead_letter(letter=letter, at=NOW, actor=ADMINISTRATOR) == order
            assert webhooks_due(at=NOW) == [added.webhook.pk]
            deliver(added.webhook)

        [message] = receiver.messages[before:]
        assert message.id == str(letter.event_id)
        assert message.is_signed_by(added.secret)
        order.refresh_from_db()
        assert (order.status, order.error) == (200, "")

    def test_stops_the_webhook_on_410(self) -> None:
        """The event is sent first when the webhook is resumed."""
        open_table()
        settled_rounds("r-1")
        with receiving(410) as receiver:
            added = webhook_to(receiver.url)
            deliver(added.webhook)
            deliver(added.webhook)
            assert state_of(added.webhook).stopped_at is not None
            assert rounds_of(receiver) == ["r-1"]
            receiver.answer = lambda _handler, _number: 200
            resume_webhook(webhook=added.webhook, at=NOW, actor=ADMINISTRATOR)
            deliver(added.webhook)

        assert rounds_of(receiver) == ["r-1", "r-1"]
        assert not DeadLetter.objects.exists()


class TestAReceiver:
    @pytest.mark.slow
    def test_that_redirects_is_not_followed(self) -> None:
        """A redirect could lead to an internal address."""
        open_table()
        settled_rounds("r-1")
        with receiving() as elsewhere:

            def redirect(handler: BaseHTTPRequestHandler, _number: int) -> None:
                handler.send_response(307)
                handler.send_header("Location", elsewhere.url)
                handler.send_header("Content-Length", "0")
                handler.end_headers()

            with receiving(redirect) as receiver:
                added = webhook_to(receiver.url)
                deliver(added.webhook)

        state = state_of(added.webhook)
        assert elsewhere.messages == []
        assert (state.status, state.attempts) == (307, 1)
        assert "redirects are not followed" in state.error

    def test_that_closes_the_connection_has_not_accepted(self) -> None:
        """Without an answer the event is retried."""
        open_table()
        settled_rounds("r-1")
        with receiving(lambda handler, _number: handler.connection.close()) as receiver:
            added = webhook_to(receiver.url)
            deliver(added.webhook)

        state = state_of(added.webhook)
        assert (state.status, state.attempts, state.seen) == (None, 1, 0)

    def test_that_is_unreachable_is_retried(self) -> None:
        """The state has the error."""
        open_table()
        settled_rounds("r-1")
        with receiving() as receiver:
            closed_url = receiver.url
        added = webhook_to(closed_url)
        deliver(added.webhook)

        assert "refused" in state_of(added.webhook).error.lower()
