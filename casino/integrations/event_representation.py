"""Events as JSON, the same in the stream and in webhooks."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from casino.integrations.event_stream import Event

PING: Final = "ping"
"""The type of a message that tests a webhook; it is no event and not in the log."""
ROUNDS: Final = "/api/v1/rounds/"
EVENTS: Final = "/api/v1/events/"


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON object of an event; money in cents, times in UTC."""
    settlement = event.settlement
    return {
        "id": str(event.id),
        "type": event.type.value,
        "timestamp": rfc3339(event.at),
        "leaf": event.leaf,
        "cursor": str(event.seen),
        "data": {
            "round": event.round,
            "round_id": str(settlement.round_id),
            "table": event.table,
            "rules": settlement.rules,
            "settlement": settlement.sequence,
            "kind": str(settlement.kind),
            "staked_cents": settlement.staked_cents,
            "paid_cents": settlement.payout_cents,
            "paid_before_cents": event.paid_before_cents,
            "booked_on": settlement.booked_on.isoformat(),
        },
        "links": {
            "round": f"{ROUNDS}{settlement.round_id}",
            "event": f"{EVENTS}{event.id}",
            "proof": f"{EVENTS}{event.id}/proof",
        },
    }


def ping_body(*, webhook: str, at: datetime) -> bytes:
    """The body of a ping."""
    ping = {"type": PING, "timestamp": rfc3339(at), "data": {"webhook": webhook}}
    return encode_body(ping)


def encode_body(document: dict[str, Any]) -> bytes:
    """The bytes that are signed and sent."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def rfc3339(at: datetime) -> str:
    """A time in UTC to the millisecond, formatted after RFC 3339."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
