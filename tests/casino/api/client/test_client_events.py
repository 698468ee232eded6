"""Events by the client: poll, prove, verify webhook messages (issue 8)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest

from casino.api.client import Conflict, NotFound, NotFromSabot, Sabot, verified
from casino.api.client.shapes.events import Event
from casino.api.client.webhooks import Ping
from casino.api.openapi.examples import EXAMPLES
from casino.integrations.events.representation import encode_body, ping_body
from casino.integrations.webhook_signing import new_secret, signed_headers
from compliance.trail.log.append_to_log import append_to_log
from tests.casino.api.api_client import issued
from tests.casino.api.web_server import served
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_round, lines

_WEBHOOK: Final = "5b0e9a52-8f5e-4d0c-9a3e-0d4c1f8f4d11"
_AT: Final = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
_EVENT: Final = encode_body(EXAMPLES["read_event"]["200"])


@pytest.mark.usefixtures("fresh_casino")
def test_events_are_polled_and_sent_to_webhooks(tmp_path: Path) -> None:
    """A webhook is added, read, rotated, pinged and removed."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle(at=by_now())
    append_to_log(KEY, now=by_now())
    with served(tmp_path, processes=1) as address, Sabot(address, issued().token) as sabot:
        page = sabot.events.poll(limit=1)
        rest = list(sabot.events.behind(page.next))
        event = page.data[0]
        added = sabot.webhooks.add("https://studio.example/sabot", types=["round.voided"])
        rotated = sabot.webhooks.rotate(added.id, overlap_hours=1)
        order = sabot.webhooks.ping(added.id)
        with pytest.raises(Conflict) as running:
            sabot.webhooks.resume(added.id)
        with pytest.raises(NotFound):
            sabot.webhooks.resend(added.id, 1)

        paid = [
            event.data.settlement and event.data.settlement.paid_cents for event in (event, *rest)
        ]
        assert paid == [2_500, 2_500]
        assert sabot.events.get(event.id) == event
        assert sabot.events.prove(event.id).proof == "sabot inclusion/1"
        assert (order.dead_letter, order.sent_at) == (None, None)
        assert rotated.secret != added.secret
        assert running.value.kind == "webhook-not-stopped"
        assert [webhook.id for webhook in sabot.webhooks.list()] == [added.id]
        assert sabot.webhooks.get(added.id).orders == (order,)
        assert list(sabot.webhooks.dead_letters(added.id)) == []
        sabot.webhooks.remove(added.id)
        assert sabot.webhooks.list() == ()
        assert sabot.about.problem("refused") in sabot.about.problems()
        assert sabot.about.index().schema == "/api/v1/schema"
        assert sabot.about.schema()["info"]["title"] == "Sabot"


class TestAMessage:
    def test_with_a_valid_signature_is_read(self) -> None:
        """Header names are case-insensitive."""
        secret = new_secret()
        headers = signed_headers(message="1", body=_EVENT, secrets=[secret], at=_AT)

        shouted = {name.upper(): text for name, text in headers.items()}
        event = verified(secret, shouted, _EVENT, now=_AT)

        assert isinstance(event, Event)
        assert event.data.settlement is not None
        recorded = EXAMPLES["read_event"]["200"]["data"]["settlement"]
        assert str(event.data.settlement.round_id) == recorded["round_id"]
        assert event.type == "round.settled"

    def test_may_be_a_ping(self) -> None:
        """A ping is not an event."""
        secret, body = new_secret(), ping_body(webhook=_WEBHOOK, at=_AT)
        headers = signed_headers(message="1", body=body, secrets=[secret], at=_AT)

        ping = verified(secret, headers, body, now=_AT)

        assert isinstance(ping, Ping)
        assert ping.data.webhook == UUID(_WEBHOOK)

    def test_is_verified_by_any_of_the_secrets(self) -> None:
        """During a rotation either secret verifies the message."""
        old, new, other = new_secret(), new_secret(), new_secret()
        headers = signed_headers(message="1", body=_EVENT, secrets=[old, new], at=_AT)

        for secrets in (old, new, [other, new]):
            assert verified(secrets, headers, _EVENT, now=_AT).type == "round.settled"

    @pytest.mark.parametrize("late", [timedelta(minutes=5), -timedelta(minutes=5)])
    def test_may_be_five_minutes_late_or_early(self, late: timedelta) -> None:
        """300 seconds, of its clock or of ours."""
        secret = new_secret()
        headers = signed_headers(message="1", body=_EVENT, secrets=[secret], at=_AT)

        assert verified(secret, headers, _EVENT, now=_AT + late).type == "round.settled"

    @pytest.mark.parametrize("late", [timedelta(seconds=301), -timedelta(seconds=301)])
    def test_of_another_time_is_refused(self, late: timedelta) -> None:
        """Timestamps off by more than 300 seconds are refused, against replays."""
        secret = new_secret()
        headers = signed_headers(message="1", body=_EVENT, secrets=[secret], at=_AT)

        with pytest.raises(NotFromSabot, match="at most 300"):
            verified(secret, headers, _EVENT, now=_AT + late)

    @pytest.mark.parametrize(
        "change",
        [
            {"webhook-id": "2"},
            {"webhook-timestamp": str(int(_AT.timestamp()) + 1)},
            {"webhook-timestamp": "soon"},
            {"webhook-signature": "v1,AAAA v2,é"},
            {"webhook-signature": ""},
        ],
        ids=str,
    )
    def test_that_was_changed_is_refused(self, change: dict[str, str]) -> None:
        """A changed header or body invalidates the signature."""
        secret = new_secret()
        headers = signed_headers(message="1", body=_EVENT, secrets=[secret], at=_AT)

        with pytest.raises(NotFromSabot):
            verified(secret, {**headers, **change}, _EVENT, now=_AT)
        with pytest.raises(NotFromSabot):
            verified(secret, headers, _EVENT + b" ", now=_AT)
