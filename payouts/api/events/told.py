"""An event as JSON: the same in the stream and in the body of a webhook."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from payouts.api.events.stream import Event

PING: Final = "ping"
"""The type of what is sent to try a webhook; it is no event and has no place in the log."""
ROUNDS: Final = "/api/v1/rounds/"
EVENTS: Final = "/api/v1/events/"


def told_event(event: Event) -> dict[str, Any]:
    """What is told of an event; money in cents, times in UTC."""
    settlement = event.settlement
    return {
        "id": str(event.id),
        "type": event.type.value,
        "timestamp": told_moment(event.at),
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
    """What a ping says."""
    said = {"type": PING, "timestamp": told_moment(at), "data": {"webhook": webhook}}
    return as_body(said)


def as_body(told: dict[str, Any]) -> bytes:
    """The very bytes that are signed and sent."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def told_moment(at: datetime) -> str:
    """A time in UTC, as RFC 3339 writes it."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
