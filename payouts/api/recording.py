"""Every call of a key is on record: one audit record a call, with what it changed if it did.

A record costs under a millisecond of a core, so reading is recorded call by
call, too: who looked at a customer's rounds, and when, is what an auditor asks first. Calls that no
key made leave nothing to put on record but an address; of those that named a key, so many a minute
are recorded (``payouts.api.authentication.FAILURES_PER_MINUTE``).
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from rest_framework.request import Request

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.api.caller import Caller
from payouts.api.tokens import token_of

_LONGEST_PATH = 1_000
_NOBODY = Actor("API")


class Outcome(NamedTuple):
    """How a call ended."""

    status: int
    problem: str | None = None
    is_replayed: bool = False
    asked: bytes | None = None
    """The digest of method, path and body, where the call might change something."""


def record_call(
    request: Request, caller: Caller, *, call_id: UUID, outcome: Outcome, at: datetime
) -> None:
    """Records a call that a key made, in the current transaction or in one of its own."""
    details = _about(request, call_id, outcome) | {"address": caller.address}
    entry = Entry("API_CALLED", f"key:{caller.key.handle}", details)
    record_entries([entry], at=at, actor=caller.actor)


def record_refusal(
    request: Request, address: str | None, *, call_id: UUID, outcome: Outcome, at: datetime
) -> None:
    """Records a call with a token that was no good."""
    text = request.headers.get("Authorization", "").rpartition(" ")[2]
    token = token_of(text)
    details = _about(request, call_id, outcome) | {"address": address}
    entry = Entry("API_REFUSED", f"key:{token.handle if token else '-'}", details)
    record_entries([entry], at=at, actor=_NOBODY)


def _about(request: Request, call_id: UUID, outcome: Outcome) -> dict[str, object]:
    return {
        "call": str(call_id),
        "method": request.method,
        "path": request.get_full_path()[:_LONGEST_PATH],
        "status": outcome.status,
        "problem": outcome.problem,
        "replayed": outcome.is_replayed,
        "asked": outcome.asked.hex() if outcome.asked else None,
    }
