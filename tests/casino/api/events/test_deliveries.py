"""Webhook deliveries are in order, signed, and limited to what the key may read."""

from datetime import timedelta

import pytest

from casino.integrations.add_webhook import rotate_webhook
from casino.integrations.change_webhook import ping_webhook, remove_webhook
from casino.integrations.deliver_events import webhooks_due
from casino.integrations.revoke_key import revoke_key
from tests.casino.api.api_client import ADMINISTRATOR, Program, issued
from tests.casino.api.events.deliveries import HOUR, rounds_of, state_of
from tests.casino.api.events.event_scenarios import (
    all_events,
    bound_to,
    deliver,
    everything_happens,
    settled_rounds,
    webhook_to,
)
from tests.casino.api.events.receiver import receiving
from tests.casino_in_play import NOW, by_now, open_table

pytestmark = pytest.mark.django_db


class TestAWebhook:
    @pytest.mark.slow
    @pytest.mark.parametrize("at_once", [100, 1])
    def test_is_sent_the_events_of_the_stream_in_order(
        self, at_once: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The body of a message equals the event of the stream; however many are read at once."""
        monkeypatch.setattr("casino.integrations.deliver_events._AT_ONCE", at_once)
        everything_happens()
        with receiving() as receiver:
            added = webhook_to(receiver.url)
            deliver(added.webhook)

        events = all_events(Program(issued().token))
        assert [message.content for message in receiver.messages] == events
        assert receiver.ids() == [event["id"] for event in events]
        assert state_of(added.webhook).delivered == len(events)

    @pytest.mark.slow
    def test_signs_each_message(self) -> None:
        """By the specification Standard Webhooks, with the secret of the webhook."""
        everything_happens()
        with receiving() as receiver:
            added = webhook_to(receiver.url)
            deliver(added.webhook)

        assert receiver.messages
        for message in receiver.messages:
            assert message.is_signed_by(added.secret)
            assert not message._replace(body=message.body + b" ").is_signed_by(added.secret)
            assert message.headers["content-type"] == "application/json"

    @pytest.mark.slow
    def test_signs_with_two_secrets_while_they_overlap(self) -> None:
        """After the overlap only the new secret signs."""
        open_table()
        with receiving() as receiver:
            added = webhook_to(receiver.url)
            rotated = rotate_webhook(
                webhook=added.webhook, overlap=HOUR, at=by_now() - HOUR / 2, actor=ADMINISTRATOR
            )
            settled_rounds("r-1")
            deliver(added.webhook)
            again = rotate_webhook(
                webhook=added.webhook,
                overlap=timedelta(),
                at=by_now() - timedelta(minutes=1),
                actor=ADMINISTRATOR,
            )
            settled_rounds("r-2")
            deliver(added.webhook)

        first, second = receiver.messages
        signed = [first.is_signed_by(secret_of.secret) for secret_of in (added, rotated, again)]
        assert signed == [True, True, False]
        signed = [second.is_signed_by(secret_of.secret) for secret_of in (added, rotated, again)]
        assert signed == [False, False, True]

    def test_begins_with_events_after_its_creation(self) -> None:
        """Unless it is created with a cursor."""
        open_table()
        settled_rounds("r-1")
        with receiving() as receiver:
            added = webhook_to(receiver.url, seen=None)
            settled_rounds("r-2")
            deliver(added.webhook)

        assert rounds_of(receiver) == ["r-2"]

    def test_receives_only_its_types(self) -> None:
        """Other events are skipped, and the cursor moves on."""
        everything_happens()
        with receiving() as receiver:
            added = webhook_to(receiver.url, types=("round.corrected",))
            deliver(added.webhook)

        assert [message.content["type"] for message in receiver.messages] == ["round.corrected"]
        assert webhooks_due(at=by_now()) == []

    def test_of_a_key_with_tables_is_sent_their_events(self) -> None:
        """Events of other tables are skipped."""
        open_table("bac-1")
        open_table("bac-2")
        settled_rounds("r-1")
        settled_rounds("r-2", table="bac-2")
        with receiving() as receiver:
            added = webhook_to(receiver.url, key=bound_to("bac-2").key)
            deliver(added.webhook)

        assert rounds_of(receiver) == ["r-2"]

    def test_that_was_removed_is_sent_nothing_more(self) -> None:
        """Nor is a webhook whose key was revoked."""
        open_table()
        settled_rounds("r-1")
        with receiving() as receiver:
            removed, of_a_revoked = webhook_to(receiver.url), webhook_to(receiver.url)
            remove_webhook(webhook=removed.webhook, at=NOW, actor=ADMINISTRATOR)
            key = of_a_revoked.webhook.key_id
            revoke_key(key_id=key, reason="lost", at=NOW, actor=ADMINISTRATOR)
            assert webhooks_due(at=by_now()) == []
            deliver(removed.webhook)
            deliver(of_a_revoked.webhook)

        assert receiver.messages == []


class TestAPing:
    def test_reaches_a_webhook_that_was_stopped(self) -> None:
        """So that the receiver can be tested before the webhook is resumed."""
        open_table()
        settled_rounds("r-1")
        with receiving(410) as receiver:
            added = webhook_to(receiver.url)
            deliver(added.webhook)
            receiver.answer = lambda _handler, _number: 202
            order = ping_webhook(webhook=added.webhook, at=NOW, actor=ADMINISTRATOR)
            deliver(added.webhook)

        ping = receiver.messages[-1]
        assert ping.content["type"] == "ping"
        assert ping.content["data"] == {"webhook": str(added.webhook.pk)}
        assert ping.is_signed_by(added.secret)
        order.refresh_from_db()
        assert order.status == 202
