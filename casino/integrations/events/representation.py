"""Events as JSON, the same in the stream and in webhooks."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings

from casino.integrations.events.stream import CaseChange, DisputeChange, Event, SettledRound

PING: Final = "ping"
"""The type of a message that tests a webhook; it is no event and not in the log."""
_ROOT: Final = "/api/v1"


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON object of an event; money in cents, times in UTC."""
    about, address = event.about, f"{_ROOT}/events/{event.id}"
    return {
        "id": str(event.id),
        "type": event.type.value,
        "timestamp": rfc3339(event.at),
        "leaf": event.leaf,
        "cursor": str(event.seen),
        "sandbox": settings.SANDBOX,
        "data": {
            "settlement": _settlement(about) if isinstance(about, SettledRound) else None,
            "dispute": _dispute(about) if isinstance(about, DisputeChange) else None,
            "case": _case(about) if isinstance(about, CaseChange) else None,
        },
        "links": {"event": address, "proof": f"{address}/proof"},
    }


def _settlement(about: SettledRound) -> dict[str, Any]:
    settlement = about.settlement
    return {
        "round": about.round,
        "round_id": str(settlement.round_id),
        "table": about.table,
        "rules": settlement.rules,
        "sequence": settlement.sequence,
        "kind": str(settlement.kind),
        "staked_cents": settlement.staked_cents,
        "paid_cents": settlement.payout_cents,
        "paid_before_cents": about.paid_before_cents,
        "booked_on": settlement.booked_on.isoformat(),
        "link": f"{_ROOT}/rounds/{settlement.round_id}",
    }


def _dispute(about: DisputeChange) -> dict[str, Any]:
    dispute = about.dispute
    return {
        "dispute": str(dispute),
        "step": about.step,
        "state": about.state,
        "due_at": None if about.due is None else rfc3339(datetime.fromisoformat(about.due)),
        "round": dispute.round.reference,
        "round_id": str(dispute.round_id),
        "table": about.table,
        "customer": dispute.customer.pseudonym,
        "link": f"{_ROOT}/disputes/{dispute}",
    }


def _case(about: CaseChange) -> dict[str, Any]:
    return {"case": str(about.case), "kind": str(about.case.kind), "step": about.step}


def ping_body(*, webhook: str, at: datetime) -> bytes:
    """The body of a ping."""
    ping = {
        "type": PING,
        "timestamp": rfc3339(at),
        "sandbox": settings.SANDBOX,
        "data": {"webhook": webhook},
    }
    return encode_body(ping)


def encode_body(document: dict[str, Any]) -> bytes:
    """The bytes that are signed and sent."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def rfc3339(at: datetime) -> str:
    """A time in UTC to the millisecond, formatted after RFC 3339."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
