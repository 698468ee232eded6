"""The audit trail of the API: one record per call of a key, also for reads.

Calls without a token are not recorded. Calls with an invalid token are recorded up to
``casino.api.authentication.FAILURES_PER_MINUTE`` per minute and address.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from rest_framework.request import Request

from casino.integrations.caller import Caller
from casino.integrations.tokens import parse_token
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries

_LONGEST_PATH = 1_000
_ANONYMOUS = Actor("API")


class Outcome(NamedTuple):
    """The result of a call."""

    status: int
    problem: str | None = None
    is_replayed: bool = False
    digest: bytes | None = None
    """SHA-256 of method, path and body, for methods that can change something."""


def record_call(
    request: Request, caller: Caller, *, call_id: UUID, outcome: Outcome, at: datetime
) -> None:
    """Records a call of a key, in the current transaction if there is one."""
    details = _details(request, call_id, outcome) | {"address": caller.address}
    entry = Entry("API_CALLED", f"key:{caller.key.handle}", details)
    record_entries([entry], at=at, actor=caller.actor)


def record_invalid_token(
    request: Request, address: str | None, *, call_id: UUID, outcome: Outcome, at: datetime
) -> None:
    """Records a call with an invalid token."""
    text = request.headers.get("Authorization", "").rpartition(" ")[2]
    token = parse_token(text)
    details = _details(request, call_id, outcome) | {"address": address}
    entry = Entry("API_REFUSED", f"key:{token.handle if token else '-'}", details)
    record_entries([entry], at=at, actor=_ANONYMOUS)


def _details(request: Request, call_id: UUID, outcome: Outcome) -> dict[str, object]:
    return {
        "call": str(call_id),
        "method": request.method,
        "path": request.get_full_path()[:_LONGEST_PATH],
        "status": outcome.status,
        "problem": outcome.problem,
        "replayed": outcome.is_replayed,
        "asked": outcome.digest.hex() if outcome.digest else None,
    }
